/** `field` is null if the whole row cannot be read. */
export class UnreadableRow {
  constructor(
    readonly reason: string,
    readonly field: string | null = null
  ) {}
}

/** @throws UnreadableRow that names the field */
export function readField<Value>(field: string, read: () => Value) {
  try {
    return read()
  } catch {
    throw new UnreadableRow('is not shaped as this field is', field)
  }
}
