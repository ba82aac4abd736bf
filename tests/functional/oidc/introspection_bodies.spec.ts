import { request as httpRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { provedOn } from '#tests/support/proved_on'
import { answerOf, requestOf, scene, type Scene } from './introspecting.ts'

provedOn('sqlite', 'The server reads bodies of requests in parts.')

/** Sends the body in two parts. A slow body takes the long code path. */
function sendInParts(given: Scene, pauseMs: number) {
  const { body, method, headers } = requestOf(given, {})
  const [text, type] = [String(body), 'application/x-www-form-urlencoded']
  const url = `http://127.0.0.1:${process.env.PORT}/oauth/introspect`
  const own = { ...headers, 'content-type': type, 'content-length': text.length }
  return new Promise<string>((resolve, reject) => {
    const sent = httpRequest(url, { method, headers: own }, async (response) => {
      let answer = ''
      for await (const part of response) answer += part
      resolve(answer)
    })
    sent.on('error', reject).write(text.slice(0, 20))
    void wait(pauseMs).then(() => sent.end(text.slice(20)))
  })
}

test.group('Introspection | a body in two parts', () => {
  test('is read whole after {$self} ms')
    .with([0, 20, 250])
    .run(async ({ assert }, pauseMs) => {
      const given = await scene()
      const { body } = await answerOf(given)
      assert.equal(await sendInParts(given, pauseMs), body)
    })

  test('a connection answers one request after the other', async ({ assert }) => {
    const given = await scene()
    const basic = `${given.app.client.clientId}:wrong`
    const statuses = []
    for (const asked of [{}, { basic }, {}, { basic }, {}]) {
      const { status } = await answerOf(given, asked)
      statuses.push(status)
    }
    assert.deepEqual(statuses, [200, 401, 200, 401, 200])
  })
})
