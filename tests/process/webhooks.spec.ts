import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { Receiver } from '#tests/servers/receiver'
import { ADMIN, BACKENDS, WITH_ADMIN } from './application.ts'
import { signIn, type Backend } from './backend.ts'
import { BUSY_MS, newDataDirFor, Product } from './product.ts'

/* Two processes on one database send deliveries: all that was committed, and nothing else. */

const KILLS = 6

for (const [name, start] of Object.entries(BACKENDS)) {
  test.group(`Two processes | webhooks on ${name}`, (group) => {
    let backend: Backend | null
    let dataDir: string | undefined
    let products: Product[]
    let receiver: Receiver
    let token: string

    const serve = () =>
      Product.start(
        { ...backend?.settings, ...WITH_ADMIN, OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' },
        dataDir
      )

    group.setup(async () => {
      backend = await start()
      dataDir = backend ? undefined : newDataDirFor()
      products = [await serve(), await serve()]
      receiver = await new Receiver().start()
      const admin = await signIn(products[0], ADMIN)
      token = admin.token
      const body = { url: receiver.url, events: ['group.created'] }
      await products[0].ask('/webhooks', { body, token })
    })
    group.teardown(async () => {
      await receiver.stop()
      for (const product of products) await product.remove()
      await backend?.remove()
    })

    /** @returns the id of the group, or null if the process ended before the answer */
    async function newGroup(product: Product): Promise<string | null> {
      const body = { name: `Staff ${randomUUID()}` }
      const answer = await product.ask('/groups', { body, token }).catch(() => null)
      return answer?.status === 201 ? answer.body.id : null
    }

    const received = () =>
      receiver.requests.map(({ body }) => JSON.parse(body).data.group.id as string)

    async function untilReceived(ids: string[]) {
      /** A killed process still has the webhook's lease for ten seconds. */
      const deadline = Date.now() + 3 * BUSY_MS
      const lacks = () => ids.filter((id) => !received().includes(id))
      while (lacks().length > 0 && Date.now() < deadline) await wait(50)
      return lacks()
    }

    test('each event is sent once, whichever process it was at', async ({ assert }) => {
      const ids: string[] = []
      for (let number = 0; number < 20; number++) {
        ids.push((await newGroup(products[number % 2]))!)
      }
      assert.deepEqual(await untilReceived(ids), [])
      assert.deepEqual(received().sort(), ids.sort())
    })

    test('a process that is killed loses no event', async ({ assert }) => {
      const made: (string | null)[] = []
      for (let kill = 0; kill < KILLS; kill++) {
        const at = kill % 2
        const killed = wait(randomInt(0, 700)).then(() => products[at].stop('SIGKILL'))
        while (!products[at].hasEnded) {
          made.push(await newGroup(products[at]), await newGroup(products[1 - at]))
        }
        await killed
        products[at] = await serve()
      }
      const ids = made.filter((id) => id !== null)
      assert.deepEqual(await untilReceived(ids), [])
      const { body: groups } = await products[0].ask('/groups', { token })
      const known = groups.map(({ id }: { id: string }) => id)
      assert.includeMembers(known, [...new Set(received())])
    })
  })
}
