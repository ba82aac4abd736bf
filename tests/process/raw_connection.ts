import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * One connection that stays open, and the answers on it as they came over the wire: an
 * attacker's client, which costs the machine much less than `fetch` does.
 */
export class RawConnection {
  #received = ''
  #answer: ((text: string) => void) | null = null

  private constructor(
    readonly socket: Socket,
    readonly host: string
  ) {
    socket.setEncoding('latin1').on('data', (chunk) => this.#take(String(chunk)))
  }

  static async open(url: string) {
    const { hostname, port, host } = new URL(url)
    const socket = connect(Number(port), hostname).setNoDelay(true)
    await once(socket, 'connect')
    return new RawConnection(socket, host)
  }

  /** Posts a body as JSON, and resolves with head and body of the answer. */
  post(path: string, body: object) {
    const text = JSON.stringify(body)
    const head = [
      `POST ${path} HTTP/1.1`,
      `host: ${this.host}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(text)}`,
      'x-request-id: guess',
    ]
    return new Promise<string>((resolve, reject) => {
      this.#answer = resolve
      this.socket.once('close', () => reject(new Error('The connection was closed')))
      this.socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
    }).finally(() => this.socket.removeAllListeners('close'))
  }

  close() {
    this.socket.destroy()
  }

  #take(chunk: string) {
    this.#received += chunk
    const headLength = this.#received.indexOf('\r\n\r\n') + 4
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(this.#received) ?? []
    if (headLength < 4 || this.#received.length < headLength + Number(length)) return
    const text = this.#received
    this.#received = ''
    this.#answer?.(text)
  }
}

/** What may differ between the same answers of two moments. */
const OF_THE_MOMENT = /^(date|retry-after|ratelimit-reset): .*\r\n/gim

/** An answer without the times in it. */
export function timeless(answer: string) {
  return answer.replace(OF_THE_MOMENT, '')
}

export function statusOf(answer: string) {
  return Number(answer.slice(9, 12))
}
