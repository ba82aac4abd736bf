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

/** What a receiver does once a request has arrived, and what becomes of the delivery. */
const HOSTILE: Record<string, { act: (socket: Socket) => void; error: string | null }> = {
  'never answers': { act: () => {}, error: 'timeout' },
  'resets the connection': { act: (socket) => socket.resetAndDestroy(), error: 'unreachable' },
  'answers no HTTP': { act: (socket) => socket.end('SSH-2.0-x\r\n\r\n'), error: 'answer' },
  'sends headers without end': { act: floodHeaders, error: 'answer' },
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
    limits.delivery.deadlineMs = 1_500
    return () => void (limits.delivery.deadlineMs = deadlineMs)
  })

  test('one that {name} delays no other one and no mail')
    .with(Object.entries(HOSTILE).map(([name, row]) => ({ name, ...row })))
    .run(async ({ assert, cleanup }, { act, error }) => {
      const hostile = await hostileReceiver(act)
      cleanup(hostile.stop)
      const { receiver } = await receiving()
      cleanup(() => receiver.stop())
      const bad = await newWebhook({ url: hostile.url, events: ['group.created'] })
      for (let number = 0; number < 6; number++) await someGroup()
      const dispatched = dispatchWebhooks()
      const user = await createUser({ password: null })
      await db.transaction((trx) => queuePasswordChangedMail(user, trx))
      await deliverMails()
      assert.lengthOf(await mailFilesOf(user.email), 1)
      await dispatched
      assert.lengthOf(receiver.requests, 6)
      const spread = receiver.requests.at(-1)!.at - receiver.requests[0].at
      assert.isBelow(spread, limits.delivery.deadlineMs)
      const deliveries = await deliveriesOf(bad.id)
      const errors = new Set(deliveries.map((delivery) => delivery.error))
      assert.deepEqual([...errors], [error])
      assert.isBelow(sent, 64 * 1_048_576)
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
