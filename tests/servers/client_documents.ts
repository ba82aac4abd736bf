import { createServer, type Server } from 'node:https'
import { once } from 'node:events'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { network, isPublicAddress } from '#network/public_hosts'
import { Certificate } from './certificate.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const HOST = 'mcp.example.org'

const certificate = new Certificate(`DNS:${HOST}`)
process.once('exit', () => certificate.remove())

/**
 * A server of client metadata documents at a name of the internet. In this process, the name leads
 * to loopback, loopback counts as public, and the server's certificate is trusted.
 */
export class ClientDocuments {
  readonly host = HOST
  /** The number of requests to the server. */
  requests = 0
  /** The answer at each path. */
  readonly answers = new Map<string, Answer>()
  /** The addresses of every name. */
  addresses = ['127.0.0.1']
  /** The number of names that were resolved. */
  lookups = 0
  #server!: Server
  readonly #former = { ...network, certificates: getCACertificates('default') }

  async start() {
    this.#server = createServer(certificate.pair, (request, response) => {
      this.requests++
      const answer = this.answers.get(request.url!)
      if (answer) answer(request, response)
      else response.writeHead(404).end()
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    setDefaultCACertificates([...this.#former.certificates, certificate.pair.cert.toString()])
    network.resolve = async () => {
      this.lookups++
      return this.addresses
    }
    network.isPublic = (address) => address === '127.0.0.1' || isPublicAddress(address)
    return this
  }

  stop() {
    const { certificates, ...former } = this.#former
    Object.assign(network, former)
    setDefaultCACertificates(certificates)
    this.#server.closeAllConnections()
    this.#server.close()
  }

  url(path: string) {
    const { port } = this.#server.address() as { port: number }
    return `https://${HOST}:${port}${path}`
  }

  /** Serves a document of this client, and returns the client's id. */
  serve(path: string, members: object = {}, headers: Record<string, string> = {}) {
    const clientId = this.url(path)
    const document = {
      client_id: clientId,
      client_name: 'Notes',
      redirect_uris: [this.url('/callback'), 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      ...members,
    }
    this.answers.set(path, (_request, response) => {
      response.setHeader('content-type', 'application/json')
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      response.end(JSON.stringify(document))
    })
    return clientId
  }
}
