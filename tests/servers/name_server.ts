import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'

const A = 1

/** A name server of the internet, as resolvers of this process ask it. */
export class NameServer {
  /** The IPv4 addresses of every name. With null, the server does not answer. */
  addresses: string[] | null = []
  readonly #socket: Socket = createSocket('udp4')
  readonly #resolve4 = Resolver.prototype.resolve4

  async start() {
    this.#socket.on('message', (query, from) => {
      if (this.addresses)
        this.#socket.send(answerTo(query, this.addresses), from.port, from.address)
    })
    this.#socket.bind(0, '127.0.0.1')
    await once(this.#socket, 'listening')
    const server = `127.0.0.1:${this.#socket.address().port}`
    const resolve4 = this.#resolve4 as (this: Resolver, name: string) => Promise<string[]>
    /** A resolver's first question sets its server. Later questions go to the same server. */
    Object.assign(Resolver.prototype, {
      resolve4(this: Resolver, name: string) {
        this.setServers([server])
        return resolve4.call(this, name)
      },
    })
    return this
  }

  stop() {
    Object.assign(Resolver.prototype, { resolve4: this.#resolve4 })
    this.#socket.close()
  }
}

/** Returns the question with its answers (RFC 1035, section 4). */
function answerTo(query: Buffer, addresses: string[]) {
  const end = query.indexOf(0, 12) + 5
  const isIpv4 = query.readUInt16BE(end - 4) === A
  const records = isIpv4 ? addresses.map(recordOf) : []
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt16BE(0, 10)
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

/** Returns a record for the name of the question: one address, valid for a minute. */
function recordOf(address: string) {
  const head = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4])
  return Buffer.concat([head, Buffer.from(address.split('.').map(Number))])
}
