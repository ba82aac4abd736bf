/** A row that is no user at all, and why. */
export class UnreadableRow {
  constructor(readonly reason: string) {}
}
