import { hostname } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { pinnedRequest, responseOf } from '#network/pinned_request'
import { readPublicDocument } from '#network/public_document'
import { lookupOf, NotPublicError, publicAddressesOf } from '#network/public_hosts'
import { NameServer } from '#tests/servers/name_server'
import { SCHEDULING_MS } from '#tests/support/waiting'

const soon = () => AbortSignal.timeout(5_000)

/** The system refuses to connect to the broadcast address before it sends anything. */
const WITHOUT_ROUTE = '255.255.255.255'

test.group('Network | names', (group) => {
  let server: NameServer
  group.each.setup(async () => {
    server = await new NameServer().start()
    return () => server.stop()
  })

  test('a name is resolved by a name server', async ({ assert }) => {
    server.addresses = ['1.1.1.1', '8.8.8.8']
    const addresses = await publicAddressesOf('client.example.org', soon())
    assert.sameMembers(addresses, ['1.1.1.1', '8.8.8.8'])
  })

  test('a name of {addresses} is not public')
    .with([{ addresses: ['127.0.0.1'] }, { addresses: ['1.1.1.1', '10.0.0.1'] }, { addresses: [] }])
    .run(async ({ assert }, { addresses }) => {
      server.addresses = addresses
      const found = () => publicAddressesOf('client.example.org', soon())
      await assert.rejects(found, NotPublicError as any)
    })

  test('a name of the hosts file is asked for like any other', async ({ assert }) => {
    server.addresses = ['1.1.1.1']
    assert.deepEqual(await publicAddressesOf(hostname(), soon()), ['1.1.1.1'])
  })

  test('a name server that is silent is left at the deadline', async ({ assert }) => {
    server.addresses = null
    const began = Date.now()
    const url = new URL('https://client.example.org/client.json')
    const read = () => readPublicDocument(url, { limit: 5_120, deadlineMs: 200 })
    await assert.rejects(read, 'too_slow')
    assert.isBelow(Date.now() - began, 1_000 + SCHEDULING_MS)
  })

  test('a connection gets the addresses that were checked', async ({ assert }) => {
    const answers: unknown[] = []
    const lookup = lookupOf(['1.1.1.1', '2606:4700::1111'])
    lookup('anything', { all: true }, (...answer) => answers.push(answer[1]))
    lookup('anything', {}, (...answer) => answers.push(answer.slice(1)))
    assert.isEmpty(answers)
    await nextTurn()
    assert.deepEqual(answers, [
      [
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
      ['1.1.1.1', 4],
    ])
  })

  test('a connection that fails at once is an error of its request', async ({ assert }) => {
    const url = new URL('https://client.example.org/client.json')
    const sent = pinnedRequest(url, [WITHOUT_ROUTE], {})
    sent.end()
    await assert.rejects(() => responseOf(sent), /^connect E/)
  })
})
