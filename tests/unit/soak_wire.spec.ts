import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { Wire } from '../soak/wire.ts'
import type { Member, Servers } from '../soak/servers.ts'
import type { TestContext } from '@japa/runner/core'

const GOOD = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const NO_DATE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n'
const AWAY = 'HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n'
const BROKEN = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'

/** Starts a server that answers each request like this, and connects a wire to it. */
async function wired({ cleanup }: TestContext, answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const member = { product: { url, hasEnded: false }, end: 'none', drainsFrom: Infinity }
  const wire = new Wire({ find: () => member, output: '' } as unknown as Servers)
  cleanup(() => {
    wire.close()
    server.close()
  })
  return { wire, member: member as Member, sockets, ask: () => wire.fetch(`${url}/path`) }
}

test.group('Soak | judgement of answers', () => {
  const answers = [
    { name: 'a good answer', text: GOOD, violations: 0 },
    { name: 'a refusal with its date', text: AWAY, violations: 0 },
    { name: 'a refusal without a date', text: NO_DATE, violations: 1 },
    { name: 'an error of the server', text: BROKEN, violations: 1 },
  ]
  test('{name} is {violations} violations')
    .with(answers)
    .run(async (context, { text, violations }) => {
      const { wire, ask } = await wired(context, (socket) => void socket.write(text))
      await ask()
      context.assert.lengthOf(wire.violations, violations)
    })

  test('a second answer is a violation, whenever it comes', async (context) => {
    const { wire, ask, sockets } = await wired(context, (socket) => void socket.write(GOOD))
    await ask()
    for (const socket of sockets) socket.write(GOOD)
    await until(async () => {
      await ask()
      return wire.violations.length > 0
    })
    context.assert.match(wire.violations[0], /^answered twice/)
  })

  test('a connection that ends without an answer is a violation', async (context) => {
    const { wire, ask } = await wired(context, (socket) => void socket.destroy())
    await context.assert.rejects(ask)
    context.assert.match(wire.violations[0], /^no answer \(none\)/)
  })

  test('a connection that ends while it is idle is none', async (context) => {
    const { wire, ask, sockets } = await wired(context, (socket) => void socket.write(GOOD))
    await ask()
    for (const socket of sockets) socket.destroy()
    await until(() => [...sockets].every(({ closed }) => closed))
    await ask()
    context.assert.isEmpty(wire.violations)
  })
})

test.group('Soak | judgement of missing answers at an end', () => {
  const ends = [
    { end: 'killed', drains: 'before', violations: 0 },
    { end: 'stopped', drains: 'before', violations: 0 },
    { end: 'stopped', drains: 'after', violations: 1 },
  ] as const
  test('{end}, signal {drains} the request: {violations} violations')
    .with([...ends])
    .run(async (context, { end, drains, violations }) => {
      const { wire, ask, member } = await wired(context, (socket) => {
        member.end = end
        member.drainsFrom = drains === 'before' ? 0 : Infinity
        socket.destroy()
      })
      await context.assert.rejects(ask)
      context.assert.lengthOf(wire.violations, violations)
    })
})
