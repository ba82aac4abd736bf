import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void

const accept: Answer = (response) => response.writeHead(204).end()

/** An endpoint of another system, which keeps the requests that it received. */
export class Receiver {
  requests: ReceivedRequest[] = []
  /** The number of requests that have no answer yet. */
  open = 0
  connections = 0
  answer: Answer
  readonly #server: Server

  constructor(answer = accept) {
    this.answer = answer
    this.#server = createServer(async (request, response) => {
      this.open++
      response.on('close', () => this.open--)
      request.on('error', () => {})
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks).toString()
      const { url: path = '', headers } = request
      const received = { path, headers, body, at: Date.now() }
      this.requests.push(received)
      this.answer(response, received)
    })
    this.#server.on('connection', () => this.connections++)
  }

  async start() {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  get url() {
    return `http://127.0.0.1:${this.port}/hook`
  }

  get types(): string[] {
    return this.requests.map(({ body }) => JSON.parse(body).type)
  }

  get ids() {
    return this.requests.map(({ headers }) => headers['webhook-id'] as string)
  }

  async stop() {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
