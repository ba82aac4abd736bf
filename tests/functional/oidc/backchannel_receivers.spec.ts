import { randomUUID } from 'node:crypto'
import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import limits from '#config/limits'
import { LOGOUT_QUEUE } from '#config/queue'
import { record } from '#events/record'
import { pruneMessages } from '#queue/prune_messages'
import { ReceiverAdapter } from '#queue/receiver_adapter'
import { QueueWorker } from '#queue/worker'
import { createUser } from '#tests/support/fixtures'
import { logoutListener, sendLogoutTokens } from '#tests/support/logouts'
import { application } from '#tests/support/oidc'
import { until } from '#tests/support/waiting'
import type { TestContext } from '@japa/runner/core'

const { receiverJobs: RECEIVER, waitingMessages: WAITING } = limits

type Answer = Parameters<typeof logoutListener>[0]

const waiting = () => db.from('queue_jobs').where({ queue: LOGOUT_QUEUE })
const pauses = () => db.from('queue_receivers').where({ queue: LOGOUT_QUEUE })

/** Makes an application for which messages about `count` sessions wait. */
async function waitingFor({ cleanup }: TestContext, count: number, answer: Answer = {}) {
  const listener = await logoutListener(answer)
  cleanup(listener.close)
  const { client } = await application({
    kind: 'first_party',
    backchannelLogoutUri: listener.uri,
  })
  const user = await createUser({ password: null })
  const { clientId } = client
  const sessions = Array.from({ length: count }, () => ({ id: randomUUID(), clientId }))
  const event = { type: 'client_sessions.ended', user, context: { sessions } } as const
  await db.transaction((trx) => record(trx, event))
  return { listener, clientId }
}

function claims(adapter: ReceiverAdapter, count: number) {
  return Array.from({ length: count }, () => adapter.popFrom(LOGOUT_QUEUE))
}

function newProcess() {
  const adapter = new ReceiverAdapter(db.connection().getWriteClient())
  adapter.setWorkerId(randomUUID())
  return adapter
}

test.group('Back-channel logout | each application by itself', (group) => {
  group.each.setup(async () => {
    await waiting().delete()
    await pauses().delete()
  })

  test('one that hangs and one that resets delay no third', async (context) => {
    const { timeoutMs } = settings.logouts
    settings.logouts.timeoutMs = 60_000
    context.cleanup(() => void (settings.logouts.timeoutMs = timeoutMs))
    const hung = await waitingFor(context, 60, { isSlow: true })
    await waitingFor(context, 60, { isReset: true })
    const third = await waitingFor(context, 50)
    const worker = new QueueWorker(LOGOUT_QUEUE)
    worker.start()
    await until(() => third.listener.told.length === 50)
    context.assert.lengthOf(hung.listener.told, RECEIVER.limit)
    hung.listener.close()
    await worker.stop()
  })

  test('two processes together deliver two at once', async (context) => {
    await waitingFor(context, 20)
    const [one, other] = [newProcess(), newProcess()]
    const found = await Promise.all([...claims(one, 10), ...claims(other, 10)])
    context.assert.lengthOf(found.filter(Boolean), RECEIVER.limit)
  })

  test('a delivery that ends makes room for the next', async (context) => {
    await waitingFor(context, 5)
    const adapter = newProcess()
    const [job] = await Promise.all(claims(adapter, 3))
    await adapter.completeJob(job!.id, LOGOUT_QUEUE)
    const found = await Promise.all(claims(adapter, 3))
    context.assert.lengthOf(found.filter(Boolean), 1)
  })

  test('one that is down is left alone for longer and longer', async (context) => {
    freezeTime()
    const { listener } = await waitingFor(context, 30, { status: 503 })
    const told: number[] = []
    for (const pause of [0, 2_000, 2_000, 2_000, 4_000]) {
      timeTravel(pause)
      await sendLogoutTokens()
      told.push(listener.told.length)
    }
    context.assert.deepEqual(told, [2, 4, 4, 6, 6])
  })

  test('one that is back gets everything at once', async (context) => {
    freezeTime()
    const { listener } = await waitingFor(context, 30, { status: 503 })
    await sendLogoutTokens()
    listener.answer.status = 204
    timeTravel(RECEIVER.firstPauseMs)
    await sendLogoutTokens()
    context.assert.lengthOf(listener.told, 32)
    context.assert.lengthOf(await waiting(), 0)
    context.assert.lengthOf(await pauses(), 0)
  })

  test('messages to one that is down end after a day', async (context) => {
    freezeTime()
    await waitingFor(context, 30, { status: 503 })
    await sendLogoutTokens()
    timeTravel(RECEIVER.lifetimeMs + 1)
    await sendLogoutTokens()
    const left = await waiting()
    context.assert.isAtMost(left.length, RECEIVER.limit)
  })

  test('an answer to what began before a failure lifts no pause', async (context) => {
    freezeTime()
    await waitingFor(context, 3)
    const adapter = newProcess()
    const [slow, failing] = await Promise.all(claims(adapter, 2))
    timeTravel(1)
    await adapter.failJob(failing!.id, LOGOUT_QUEUE)
    await adapter.completeJob(slow!.id, LOGOUT_QUEUE)
    context.assert.lengthOf(await pauses(), 1)
    timeTravel(RECEIVER.firstPauseMs)
    const next = await adapter.popFrom(LOGOUT_QUEUE)
    await adapter.completeJob(next!.id, LOGOUT_QUEUE)
    context.assert.lengthOf(await pauses(), 0)
  })

  test('messages that wait for {wait} ms of a day are kept: {isKept}')
    .with([
      { wait: 0, isKept: true },
      { wait: 1, isKept: false },
    ])
    .run(async (context, { wait, isKept }) => {
      freezeTime()
      await waitingFor(context, 3)
      const removed = await pruneMessages(Date.now() + RECEIVER.lifetimeMs + wait)
      context.assert.equal(removed, isKept ? 0 : 3)
      context.assert.lengthOf(await waiting(), isKept ? 3 : 0)
    })

  test('the newest stay where too many wait for one, and all for others', async (context) => {
    limits.waitingMessages = 2
    context.cleanup(() => void (limits.waitingMessages = WAITING))
    await waitingFor(context, 5)
    const { clientId } = await waitingFor(context, 2)
    const before = await waiting().orderBy('score').orderBy('id')
    await pruneMessages()
    const after = await waiting().orderBy('score').orderBy('id')
    context.assert.lengthOf(after, 4)
    const isOther = (row: { receiver: string }) => row.receiver === clientId
    context.assert.deepEqual(after.filter(isOther), before.filter(isOther))
    const expected = before.filter((row) => !isOther(row)).slice(-2)
    context.assert.deepEqual(
      after.filter((row) => !isOther(row)),
      expected
    )
  })
})
