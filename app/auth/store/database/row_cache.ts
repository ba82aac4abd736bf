/**
 * Keeps rows until the next commit. A list by last use would not outlive a commit either, and
 * clearing the list would take a tenth of a millisecond.
 */
export class RowCache<Row> extends Map<string, Row> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: string, row: Row) {
    if (this.size >= this.#most && !this.has(key)) this.clear()
    return super.set(key, row)
  }
}
