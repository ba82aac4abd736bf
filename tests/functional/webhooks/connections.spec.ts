import { createServer, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from '@japa/runner'
import limits from '#config/limits'
import { network } from '#network/public_hosts'
import { Certificate } from '#tests/servers/certificate'
import {
  deliveriesOf,
  dispatchWebhooks,
  newWebhook,
  receiving,
  someGroup,
  useReceivers,
} from '#tests/support/webhook_endpoints'

const GOOD = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

/** Answers only the first request of each connection, and then calls `afterwards`. */
async function firstOnly(afterwards: (socket: Socket) => void) {
  const counted = { connections: 0, requests: 0, url: '', stop: () => {} }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    counted.connections++
    sockets.add(socket)
    socket.on('error', () => {})
    let received = ''
    let isAnswered = false
    socket.on('data', (chunk) => {
      counted.requests += String(chunk).split('POST /').length - 1
      received += chunk
      if (isAnswered) return afterwards(socket)
      if (!received.endsWith('}')) return
      isAnswered = true
      socket.write(GOOD)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  counted.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  counted.stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return counted
}

async function deliverFive({ url }: { url: string }) {
  const { id } = await newWebhook({ url, events: ['group.created'] })
  await dispatchWebhooks()
  for (let number = 0; number < 5; number++) await someGroup()
  await dispatchWebhooks()
  return deliveriesOf(id)
}

const CERTIFIED = 'receiver.example.org'

/** Starts a receiver to which each name resolves, with a trusted certificate. */
async function secureReceiver() {
  const certificate = new Certificate(`DNS:${CERTIFIED}`)
  const counted = { connections: 0, requests: 0, port: 0, stop: () => {} }
  const server = createSecureServer(certificate.pair, (request, response) => {
    counted.requests++
    request.resume().on('end', () => response.writeHead(204).end())
  })
  server.on('secureConnection', () => counted.connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  counted.port = (server.address() as AddressInfo).port
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate.pair.cert.toString()])
  network.resolve = async () => ['127.0.0.1']
  counted.stop = () => {
    setDefaultCACertificates(trusted)
    certificate.remove()
    server.closeAllConnections()
    server.close()
  }
  return counted
}

const AFTERWARDS: Record<string, (socket: Socket) => void> = {
  'is reset': (socket) => socket.resetAndDestroy(),
  'is closed': (socket) => socket.end(),
}

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'

/** What a receiver does after it has read the request. */
const ANSWERS: Record<string, (socket: Socket) => void> = {
  'answers no HTTP': (socket) => socket.end('SSH-2.0-x\r\n\r\n'),
  'switches the protocol': (socket) => socket.write(SWITCHING),
  'breaks off its answer': (socket) => socket.end('HTTP/1.1 20'),
}

test.group('Webhook receivers | connections', (group) => {
  useReceivers(group)
  group.each.setup(() => {
    const { resolve } = network
    return () => void (network.resolve = resolve)
  })

  test('deliveries of one moment share connections', async ({ assert }) => {
    const { receiver } = await receiving()
    for (let number = 0; number < 12; number++) await someGroup()
    await dispatchWebhooks()
    assert.lengthOf(new Set(receiver.ids), 12)
    assert.isAtMost(receiver.connections, limits.deliveriesAtOnce)
  })

  test('over https to {host}: {outcome}, {requests} requests')
    .with([
      { host: CERTIFIED, outcome: 'delivered null', requests: 6, most: limits.deliveriesAtOnce },
      { host: 'other.example.org', outcome: 'pending certificate', requests: 0, most: 6 },
    ])
    .run(async ({ assert, cleanup }, { host, outcome, requests, most }) => {
      const server = await secureReceiver()
      cleanup(() => server.stop())
      const url = `https://${host}:${server.port}/hook`
      const { id } = await newWebhook({ url, events: ['group.created'] })
      await dispatchWebhooks()
      for (let number = 0; number < 6; number++) await someGroup()
      await dispatchWebhooks()
      const deliveries = await deliveriesOf(id)
      const outcomes = deliveries.map(({ status, error }) => `${status} ${error}`)
      assert.deepEqual([...new Set(outcomes)], [outcome])
      assert.equal(server.requests, requests)
      assert.isAtMost(server.connections, most)
    })

  test('no connection is left once all is sent', async ({ assert }) => {
    const { receiver } = await receiving()
    await someGroup()
    await dispatchWebhooks()
    await someGroup()
    await dispatchWebhooks()
    assert.deepEqual([receiver.requests.length, receiver.connections], [2, 2])
  })

  test('a kept connection that {$self} costs no try')
    .with(Object.keys(AFTERWARDS))
    .run(async ({ assert, cleanup }, name) => {
      const server = await firstOnly(AFTERWARDS[name])
      cleanup(() => server.stop())
      const deliveries = await deliverFive(server)
      const outcomes = deliveries.map(({ status, attempts }) => `${status} ${attempts}`)
      assert.deepEqual(
        outcomes,
        Array.from({ length: 5 }, () => 'delivered 1')
      )
      assert.isAtLeast(server.connections, 5)
    })

  test('a kept connection that {$self} gets a request once')
    .with(Object.keys(ANSWERS))
    .run(async ({ assert, cleanup }, name) => {
      const server = await firstOnly(ANSWERS[name])
      cleanup(() => server.stop())
      const deliveries = await deliverFive(server)
      const tried = deliveries.reduce((sum, { attempts }) => sum + attempts, 0)
      assert.isTrue(deliveries.some(({ status }) => status === 'pending'))
      assert.equal(server.requests, tried)
    })

  test('a name that leads elsewhere later is looked up anew', async ({ assert }) => {
    const addresses = ['127.0.0.1', '10.1.2.3']
    network.resolve = async () => addresses.splice(0, 1)
    const { receiver } = await receiving({ enabled: false })
    const url = `http://rebound.example.org:${receiver.port}/hook`
    const { id } = await newWebhook({ url, events: ['group.created'] })
    await dispatchWebhooks()
    for (let number = 0; number < 2; number++) {
      await someGroup()
      await dispatchWebhooks()
    }
    const deliveries = await deliveriesOf(id)
    assert.deepEqual(
      deliveries.map(({ error }) => error),
      ['not_allowed', null]
    )
    assert.lengthOf(receiver.requests, 1)
  })
})
