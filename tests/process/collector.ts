import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: object }[]
}

/** A trace collector for OTLP over HTTP with JSON. */
export class Collector {
  readonly bodies: string[] = []
  #server: Server

  /** @param isSlow accepts spans, but never answers */
  static async start({ isSlow = false } = {}) {
    const collector = new Collector(isSlow)
    collector.#server.listen(0, '127.0.0.1')
    await once(collector.#server, 'listening')
    return collector
  }

  private constructor(isSlow: boolean) {
    this.#server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      this.bodies.push(body)
      if (!isSlow) response.setHeader('content-type', 'application/json').end('{}')
    })
  }

  get url() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get spans(): ReceivedSpan[] {
    const resources = this.bodies.flatMap((body) => JSON.parse(body).resourceSpans)
    const scopes = resources.flatMap(({ scopeSpans }) => scopeSpans)
    return scopes.flatMap(({ spans }) => spans)
  }

  find(name: string) {
    return this.spans.find((span) => span.name === name)
  }

  stop() {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
