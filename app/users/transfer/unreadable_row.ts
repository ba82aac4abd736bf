/** A row that is no account at all, and why. */
export class UnreadableRow {
  constructor(readonly reason: string) {}
}
