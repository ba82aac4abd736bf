import { write, writeSync } from 'node:fs'

/** Characters of the log that wait for a slow reader or a full disk, to bound the memory. */
const MOST_WAITING = 1_048_576

const RETRY_MS = 20

/** Writes one time per event loop turn. A full disk or a closed reader must not end the process. */
export class LogOutput {
  #waiting = ''
  #isWriting = false
  readonly #format: (line: string) => string

  constructor(format: (line: string) => string = (line) => line) {
    this.#format = format
    process.on('exit', () => this.#finish())
  }

  write(line: string) {
    if (this.#waiting.length > MOST_WAITING) return
    this.#waiting += this.#format(line)
    if (this.#isWriting) return
    this.#isWriting = true
    setImmediate(() => this.#flush())
  }

  #flush() {
    const batch = Buffer.from(this.#waiting)
    this.#waiting = ''
    this.#send(batch)
  }

  #send(batch: Buffer) {
    write(1, batch, (error, written = 0) => {
      if (error?.code === 'EAGAIN') return void setTimeout(() => this.#send(batch), RETRY_MS)
      if (!error && written < batch.length) return this.#send(batch.subarray(written))
      if (this.#waiting) return this.#flush()
      this.#isWriting = false
    })
  }

  #finish() {
    try {
      if (this.#waiting) writeSync(1, this.#waiting)
    } catch {
      // The reader is gone, or the disk is full.
    }
  }
}
