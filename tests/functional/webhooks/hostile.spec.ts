import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getActiveTestOrFail, test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { deliverMails, mailFilesOf, queuePasswordChangedMail } from '#tests/support/mail'
import { createUser } from '#tests/support/fixtures'
import { cellsHere } from '#tests/support/proved_on'
import { until } from '#tests/support/waiting'
import {
  deliveriesOf,
  dispatchWebhooks,
  newWebhook,
  receiving,
  someGroup,
  useReceivers,
} from '#tests/support/webhook_endpoints'

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'

/** What a receiver does after a request has arrived, and the resulting error of the delivery. */
const HOSTILE: Record<string, { act: (socket: Socket) => void; error: string | null }> = {
  'never answers': { act: () => {}, error: 'timeout' },
  'resets the connection': { act: (socket) => socket.resetAndDestroy(), error: 'unreachable' },
  'answers no HTTP': { act: (socket) => socket.end('SSH-2.0-x\r\n\r\n'), error: 'answer' },
  'sends headers slowly': { act: dripHeaders, error: 'timeout' },
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
  'sends a chunk without a size': {
    act: (socket) => socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\nno size\r\n`),
    error: null,
  },
  'never ends its body': {
    act: (socket) => socket.write(`${HEAD}content-length: 1000\r\n\r\nx`),
    error: null,
  },
}

/** Each byte comes in time, but the answer never ends. */
function dripHeaders(socket: Socket) {
  socket.write('HTTP/1.1 200 OK\r\nx: ')
  const timer = setInterval(() => socket.write('y'), 20)
  socket.once('close', () => clearInterval(timer))
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

const FAULTS = Object.entries(HOSTILE).map(([name, row]) => ({ name, ...row }))

/** The error is read from the socket of a receiver: every backend tests one kind of error. */
const isEverywhere = ({ error }: (typeof FAULTS)[number]) => error === 'timeout'

test.group('Webhook receivers | hostile', (group) => {
  useReceivers(group)
  group.each.setup(() => {
    const { deadlineMs } = limits.delivery
    return () => void (limits.delivery.deadlineMs = deadlineMs)
  })

  /** Starts a receiver that accepts everything, and a webhook to the hostile receiver. */
  async function besideHostile(act: (socket: Socket) => void) {
    const hostile = await hostileReceiver(act)
    getActiveTestOrFail().cleanup(hostile.stop)
    const { receiver } = await receiving()
    const { id } = await newWebhook({ url: hostile.url, events: ['group.created'] })
    return { hostile, receiver, id }
  }

  test('one that {name}: {error}')
    .with(cellsHere(FAULTS, isEverywhere))
    .run(async ({ assert }, { act, error }) => {
      const { receiver, id } = await besideHostile(act)
      if (error === 'timeout') limits.delivery.deadlineMs = 300
      for (let number = 0; number < 4; number++) await someGroup()
      await dispatchWebhooks()
      const deliveries = await deliveriesOf(id)
      assert.deepEqual([...new Set(deliveries.map((delivery) => delivery.error))], [error])
      assert.isBelow(sent, 64 * 1_048_576)
      assert.isAtLeast(receiver.requests.length, error === 'timeout' ? 0 : 4)
    })

  test('one that {$self} delays no other one and no mail')
    .with(['never answers', 'sends headers slowly'])
    .run(async ({ assert }, name) => {
      const { hostile, receiver, id } = await besideHostile(HOSTILE[name].act)
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
