/** A row that cannot be read as a user, and why. */
export class UnreadableRow {
  constructor(readonly reason: string) {}
}
