import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

interface RawRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/**
 * One connection that stays open, with the answers as they arrive on the wire. It is an attacker's
 * client, which costs the machine much less than `fetch` does.
 */
export class RawConnection {
  #received = ''
  #answer: ((text: string) => void) | null = null

  private constructor(
    readonly socket: Socket,
    readonly host: string
  ) {
    socket.setEncoding('latin1').on('data', (chunk) => this.#take(String(chunk)))
    // A reset is followed by `close`. Without a listener, the error would end the process.
    socket.on('error', () => {})
  }

  static async open(url: string) {
    const { hostname, port, host } = new URL(url)
    const socket = connect(Number(port), hostname).setNoDelay(true)
    await once(socket, 'connect')
    return new RawConnection(socket, host)
  }

  /** Posts a JSON body, and resolves with the head and body of the answer. */
  post(path: string, body: object) {
    const headers = { 'content-type': 'application/json', 'x-request-id': 'guess' }
    return this.send({ method: 'POST', path, headers, body: JSON.stringify(body) })
  }

  /** Sends a request, and resolves with the head and body of the answer. Rejects without one. */
  send({ method = 'GET', path, headers = {}, body = '' }: RawRequest) {
    const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    const fields = Object.entries({ host: this.host, ...headers, ...length })
    const head = [`${method} ${path} HTTP/1.1`, ...fields.map((field) => field.join(': '))]
    return new Promise<string>((resolve, reject) => {
      this.#answer = resolve
      this.socket.once('close', () => reject(new Error('The connection was closed')))
      this.socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    }).finally(() => this.socket.removeAllListeners('close'))
  }

  /** Whether the connection is still open. Servers close idle connections. */
  get isOpen() {
    return this.socket.readyState === 'open'
  }

  /** What has arrived without a request: a second answer. */
  get surplus() {
    return this.#received
  }

  close() {
    this.socket.destroy()
  }

  #take(chunk: string) {
    this.#received += chunk
    const headLength = this.#received.indexOf('\r\n\r\n') + 4
    const [, length = 0] = /\r\ncontent-length: (\d+)\r\n/i.exec(this.#received) ?? []
    const end = headLength + Number(length)
    if (!this.#answer || headLength < 4 || this.#received.length < end) return
    const answer = this.#answer
    const text = this.#received.slice(0, end)
    this.#received = this.#received.slice(end)
    this.#answer = null
    answer(text)
  }
}

/** Parts in which the same answers of two moments may differ. */
const OF_THE_MOMENT = /^(date|retry-after|ratelimit-reset): .*\r\n/gim

/** Returns an answer without its times. */
export function timeless(answer: string) {
  return answer.replace(OF_THE_MOMENT, '')
}

export function statusOf(answer: string) {
  return Number(answer.slice(9, 12))
}
