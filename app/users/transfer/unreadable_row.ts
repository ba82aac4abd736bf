/** A row that cannot be read as a user: why, and by which field if it is one. */
export class UnreadableRow {
  constructor(
    readonly reason: string,
    readonly field: string | null = null
  ) {}
}

/** What a field is read as. @throws UnreadableRow that names the field */
export function readField<Value>(field: string, read: () => Value) {
  try {
    return read()
  } catch {
    throw new UnreadableRow('is not shaped as this field is', field)
  }
}
