import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { test } from '@japa/runner'
import { ProtectedResponse } from '#http/response'
import type { TestContext } from '@japa/runner/core'

/** Returns what a client gets from a handler, and what the handler saw of its response. */
async function answered({ cleanup }: TestContext, handle: (response: ServerResponse) => void) {
  const server = createServer({ ServerResponse: ProtectedResponse as any }, (_request, response) =>
    handle(response)
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanup(() => void server.close())
  const { port } = server.address() as { port: number }
  const response = await fetch(`http://127.0.0.1:${port}`)
  return { status: response.status, headers: response.headers, body: await response.text() }
}

const LATE: Record<string, (response: ServerResponse) => unknown> = {
  'a second end': (response) => response.end('second'),
  'a write': (response) => response.write('second'),
  'a header': (response) => response.setHeader('x-late', 'yes').appendHeader('x-late', 'again'),
  'a head': (response) => response.writeHead(500, { 'x-late': 'yes' }),
  'flushed headers': (response) => response.flushHeaders(),
  'a removed header': (response) => response.removeHeader('x-first'),
  'a status': (response) => (response.statusCode = 500),
}

test.group('Response | after its end', () => {
  test('{$self} changes nothing')
    .with(Object.keys(LATE))
    .run(async (context, late) => {
      const { status, headers, body } = await answered(context, (response) => {
        response.setHeader('x-first', 'yes').end('first')
        LATE[late](response)
      })
      context.assert.deepEqual([status, body], [200, 'first'])
      context.assert.deepEqual([headers.get('x-first'), headers.get('x-late')], ['yes', null])
    })

  test('it counts as answered from the call on', async (context) => {
    const seen: boolean[] = []
    await answered(context, (response) => {
      seen.push(response.headersSent, response.writableEnded)
      response.end()
      seen.push(response.headersSent, response.writableEnded)
    })
    context.assert.deepEqual(seen, [false, false, true, true])
  })
})
