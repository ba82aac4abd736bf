import type { Socket } from 'node:net'

/** The message that asks Postgres to prepare a statement (protocol 3.0, `Parse`). */
const PARSE = 'P'.charCodeAt(0)

/** Statements that clients of a proxy let Postgres prepare: under a name, or for one use. */
export class PreparedNames {
  readonly named: string[] = []
  unnamed = 0

  /** For `TcpProxy.onConnection`. */
  readonly watch = (client: Socket) => {
    let waiting = Buffer.alloc(0)
    /** The first message has no type. */
    let typeBytes = 0
    client.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk])
      while (waiting.length >= typeBytes + 4) {
        const length = typeBytes + waiting.readInt32BE(typeBytes)
        if (waiting.length < length) return
        if (typeBytes === 1) this.#note(waiting.subarray(0, length))
        waiting = waiting.subarray(length)
        typeBytes = 1
      }
    })
  }

  #note(message: Buffer) {
    if (message[0] !== PARSE) return
    const name = message.toString('utf8', 5, message.indexOf(0, 5))
    if (name) this.named.push(name)
    else this.unnamed++
  }
}
