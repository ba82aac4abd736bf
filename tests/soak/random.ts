/** Random choices that a seed repeats. The times of the answers differ from run to run. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to `limit - 1` (mulberry32). */
  below(limit: number) {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  pick<T>(items: readonly T[]) {
    return items[this.below(items.length)]
  }

  shuffled<T>(items: readonly T[]) {
    const left = [...items]
    return items.map(() => left.splice(this.below(left.length), 1)[0])
  }

  /** Returns another sequence, because each client has its own. */
  fork() {
    return new Random(this.below(2 ** 32))
  }
}
