import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** An address that leads to one server and later to another, as after a failover. */
export class TcpProxy {
  #server: Server
  #sockets = new Set<Socket>()
  #target: number

  /** Milliseconds for which an answer of the server is held back, as on a slow network. */
  delayMs = 0

  /** Sees each connection of a client before its first byte. */
  onConnection = (_: Socket) => {}

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer((client) => this.#connect(client))
  }

  static async start(target: number) {
    const proxy = new TcpProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  /** Leads new connections to this port. Open connections are not changed. */
  leadTo(target: number) {
    this.#target = target
  }

  #connect(client: Socket) {
    this.onConnection(client)
    const server = connect(this.#target, '127.0.0.1')
    const pair = [client, server]
    for (const socket of pair) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        for (const each of pair) each.destroy()
      })
    }
    client.pipe(server)
    server.on('data', (chunk) => {
      setTimeout(() => client.writable && client.write(chunk), this.delayMs)
    })
  }

  close() {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}
