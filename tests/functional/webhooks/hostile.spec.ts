import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import outbound from '#config/outbound'
import { network } from '#network/public_hosts'
import { files } from '#network/system_names'
import { deliverMails, mailFilesOf, queuePasswordChangedMail } from '#tests/support/mail'
import { createUser } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'
import {
  allowLoopback,
  deliveriesOf,
  dispatchWebhooks,
  newWebhook,
  receiving,
  removeWebhooks,
  someGroup,
} from '#tests/support/webhook_endpoints'

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'

/** What a receiver does once a request has arrived, and what becomes of the delivery. */
const HOSTILE: Record<string, { act: (socket: Socket) => void; error: string | null }> = {
  'never answers': { act: () => {}, error: 'timeout' },
  'resets the connection': { act: (socket) => socket.resetAndDestroy(), error: 'unreachable' },
  'answers no HTTP': { act: (socket) => socket.end('SSH-2.0-x\r\n\r\n'), error: 'answer' },
  'sends headers without end': { act: floodHeaders, error: 'answer' },
  'switches the protocol': { act: (socket) => socket.write(SWITCH), error: 'answer' },
  'sends 1 GB': { act: floodBody, error: null },
  'promises more than it sends': {
    act: (socket) => socket.end(`${HEAD}content-length: 1000\r\n\r\nshort`),
    error: null,
  },
  'sends more than it promised': {
    act: (socket) => socket.end(`${HEAD}content-length: 2\r\n\r\n${'x'.repeat(100)}`),
    error: null,
  },
  'never ends its body': {
    act: (socket) => socket.write(`${HEAD}content-length: 1000\r\n\r\nx`),
    error: null,
  },
}

function floodHeaders(socket: Socket) {
  socket.write('HTTP/1.1 200 OK\r\n')
  const more = () => socket.writable && socket.write(`x: ${'y'.repeat(1_000)}\r\n`, more)
  more()
}

let sent = 0

function floodBody(socket: Socket) {
  const chunk = Buffer.alloc(65_536, 'x')
  sent = 0
  socket.write(`${HEAD}content-length: 1073741824\r\n\r\n`)
  const more = () => {
    if (!socket.writable) return
    sent += chunk.length
    socket.write(chunk, more)
  }
  more()
}

async function hostileReceiver(act: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => act(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/hook`, port, stop }
}

test.group('Webhook receivers | hostile', (group) => {
  group.each.setup(removeWebhooks)
  allowLoopback(group)
  group.each.setup(() => {
    const { deadlineMs } = limits.delivery
    return () => void (limits.delivery.deadlineMs = deadlineMs)
  })

  /** A receiver that accepts all, and a webhook that leads to the hostile one. */
  async function besideHostile(act: (socket: Socket) => void) {
    const hostile = await hostileReceiver(act)
    const { receiver } = await receiving()
    const { id } = await newWebhook({ url: hostile.url, events: ['group.created'] })
    const stop = () => {
      hostile.stop()
      return receiver.stop()
    }
    return { hostile, receiver, id, stop }
  }

  test('one that {name}: {error}')
    .with(Object.entries(HOSTILE).map(([name, row]) => ({ name, ...row })))
    .run(async ({ assert, cleanup }, { act, error }) => {
      const { receiver, id, stop } = await besideHostile(act)
      cleanup(stop)
      if (error === 'timeout') limits.delivery.deadlineMs = 300
      for (let number = 0; number < 4; number++) await someGroup()
      await dispatchWebhooks()
      const deliveries = await deliveriesOf(id)
      assert.deepEqual([...new Set(deliveries.map((delivery) => delivery.error))], [error])
      assert.isBelow(sent, 64 * 1_048_576)
      assert.isAtLeast(receiver.requests.length, error === 'timeout' ? 0 : 4)
    })

  test('one that hangs delays no other one and no mail', async ({ assert, cleanup }) => {
    const { hostile, receiver, id, stop } = await besideHostile(() => {})
    cleanup(stop)
    limits.delivery.deadlineMs = 120_000
    for (let number = 0; number < 6; number++) await someGroup()
    const dispatched = dispatchWebhooks()
    await until(() => receiver.requests.length === 6)
    const user = await createUser({ password: null })
    await db.transaction((trx) => queuePasswordChangedMail(user, trx))
    await deliverMails()
    assert.lengthOf(await mailFilesOf(user.email), 1)
    const deliveries = await deliveriesOf(id)
    assert.deepEqual([...new Set(deliveries.map(({ attempts }) => attempts))], [0])
    hostile.stop()
    await dispatched
  })
})

/** Where a name leads, and whether it is called. */
const NAMES = [
  { name: 'a private address', addresses: ['10.1.2.3'], error: 'not_allowed' },
  { name: 'a mapped loopback', addresses: ['::ffff:127.0.0.1'], error: 'not_allowed' },
  { name: 'metadata of a cloud', addresses: ['169.254.169.254'], error: 'not_allowed' },
  { name: 'nothing', addresses: [], error: 'not_found' },
]

test.group('Webhook receivers | names', (group) => {
  group.each.setup(removeWebhooks)
  group.each.setup(() => {
    const { resolve } = network
    const { hosts } = files
    return () => {
      network.resolve = resolve
      files.hosts = hosts
    }
  })

  async function outcomeOf(host: string) {
    const { id } = await newWebhook({ url: `https://${host}/hook`, events: ['group.created'] })
    await dispatchWebhooks()
    await someGroup()
    await dispatchWebhooks()
    const [{ error }] = await deliveriesOf(id)
    return error
  }

  test('a name that leads to {name} is not called: {error}')
    .with(NAMES)
    .run(async ({ assert }, { addresses, error }) => {
      network.resolve = async () => addresses
      assert.equal(await outcomeOf('rebound.example.org'), error)
    })

  test('the hosts file counts', async ({ assert }) => {
    files.hosts = join(mkdtempSync(join(tmpdir(), 'hosts-')), 'hosts')
    writeFileSync(files.hosts, '# here\n10.9.8.7 other inside.example.org # x\n')
    network.resolve = async () => ['93.184.215.14']
    assert.equal(await outcomeOf('inside.example.org'), 'not_allowed')
  })

  test('our own address is refused whatever is allowed', async ({ assert, cleanup }) => {
    const { networks } = outbound
    cleanup(() => void (outbound.networks = networks))
    const { id } = await newWebhook({ events: ['group.created'] })
    await db
      .from('webhooks')
      .where('id', id)
      .update({ url: `http://127.0.0.1:${outbound.own.port}/` })
    await dispatchWebhooks()
    await someGroup()
    await dispatchWebhooks()
    const [{ error }] = await deliveriesOf(id)
    assert.equal(error, 'not_allowed')
  })
})
