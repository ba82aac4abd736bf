import { createServer } from 'node:net'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import outbound from '#config/outbound'
import { network } from '#network/public_hosts'
import { files } from '#network/system_names'
import {
  deliveriesOf,
  dispatchWebhooks,
  newWebhook,
  removeWebhooks,
  someGroup,
} from '#tests/support/webhook_endpoints'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'Names are resolved and addresses judged, before a delivery is sent.')

/** Starts a server that closes each connection before TLS begins. */
async function countingServer(address: string, port = 0) {
  const counted = { connections: 0, port, stop: () => void server.close() }
  const server = createServer((socket) => {
    counted.connections++
    socket.on('error', () => {}).destroy()
  })
  server.listen(port, address)
  await once(server, 'listening')
  counted.port = (server.address() as AddressInfo).port
  return counted
}

/** Where a name resolves to, and whether it is called. */
const NAMES = [
  { name: 'a private address', addresses: ['10.1.2.3'], error: 'not_allowed' },
  { name: 'a mapped loopback', addresses: ['::ffff:127.0.0.1'], error: 'not_allowed' },
  { name: 'metadata of a cloud', addresses: ['169.254.169.254'], error: 'not_allowed' },
  { name: 'nothing', addresses: [], error: 'not_found' },
]

test.group('Webhook receivers | names', (group) => {
  group.each.setup(removeWebhooks)
  group.each.setup(() => {
    const before = { ...network }
    const { hosts } = files
    return () => {
      Object.assign(network, before)
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

  test('a name that changes between two look-ups leads nowhere else', async ({
    assert,
    cleanup,
  }) => {
    const [first, other] = ['127.0.0.1', '127.0.0.2']
    const reachable = await countingServer(first)
    const inner = await countingServer(other, reachable.port)
    cleanup(() => reachable.stop())
    cleanup(() => inner.stop())
    let lookUps = 0
    network.resolve = async () => [lookUps++ === 0 ? first : other]
    network.isPublic = (address) => address === first
    const { id } = await newWebhook({
      url: `https://rebound.example.org:${reachable.port}/hook`,
      events: ['group.created'],
    })
    await dispatchWebhooks()
    await someGroup()
    await dispatchWebhooks()
    timeTravel('7 seconds')
    await dispatchWebhooks()
    const [{ attempts, error }] = await deliveriesOf(id)
    assert.deepEqual([attempts, error], [2, 'not_allowed'])
    assert.deepEqual([lookUps, reachable.connections, inner.connections], [2, 1, 0])
  })

  test('the hosts file counts', async ({ assert }) => {
    files.hosts = join(temporaryFolder('hosts'), 'hosts')
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
