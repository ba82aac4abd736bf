import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { listWebhooks } from '#webhooks/webhook_rows'
import { recordsWhere } from '#tests/support/trail'
import { runCommand } from '#tests/support/commands'
import { newWebhook, removeWebhooks, someUrl } from '#tests/support/webhook_endpoints'
import WebhookCreate from '#commands/webhook_create'
import WebhookDelete from '#commands/webhook_delete'
import WebhookList from '#commands/webhook_list'
import WebhookReplay from '#commands/webhook_replay'
import WebhookShow from '#commands/webhook_show'
import WebhookTest from '#commands/webhook_test'
import { DELIVERY_ERRORS } from '#webhooks/deliveries/delivery'
import { FILTERS } from '#webhooks/types/filters'

/** Takes the place of a server that sends the test while the command waits. */
async function sendTest(webhookId: string, outcome: object) {
  for (;;) {
    const of = db.from('webhook_deliveries').where('webhook_id', webhookId)
    if (Number(await of.update({ attempts: 1, next_attempt_at: null, ...outcome })) > 0) return
    await wait(20)
  }
}

test.group('Commands | webhooks', (group) => {
  group.each.setup(removeWebhooks)

  test('the help of webhook:show has each reason', ({ assert }) => {
    const help = WebhookShow.help.map((line) => line.trim().split('  ', 1)[0])
    assert.includeMembers(help, [...DELIVERY_ERRORS])
  })

  test('a webhook is created, listed, shown and deleted', async ({ assert }) => {
    const name = `Billing ${randomUUID()}`
    const flags = ['--events=user.*,session.ended', '--events=login.failed', `--name=${name}`]
    const made = await runCommand(WebhookCreate, [someUrl(), ...flags])
    const { secret, ...record } = made.printed
    assert.match(secret, /^whsec_/)
    const filters = ['user.*', 'session.ended', 'login.failed']
    assert.containSubset(record, { name, events: filters, enabled: true, disabledReason: null })
    const listed = await runCommand(WebhookList, [])
    assert.deepEqual(listed.printed, [record])
    const shown = await runCommand(WebhookShow, [name])
    assert.deepEqual(shown.printed, { ...record, deliveries: [] })
    const deleted = await runCommand(WebhookDelete, [record.id, '--yes'])
    assert.equal(deleted.code, 0)
    assert.deepEqual(await listWebhooks(), [])
    const events = await recordsWhere({ action: 'webhook.created' })
    assert.match(events.at(-1)!.actor, /^cli:/)
  })

  test('an id means its webhook, whatever another one is named', async ({ assert }) => {
    const { id, name } = await newWebhook()
    await newWebhook({ name: id })
    const shown = await runCommand(WebhookShow, [id])
    assert.equal(shown.printed.name, name)
  })

  test('{what} ends with {code}')
    .with([
      { what: 'no filter', command: WebhookCreate, args: [someUrl()], code: 2 },
      { what: 'a filter of nothing', command: WebhookCreate, args: ['%', '--events=x'], code: 2 },
      {
        what: 'a private address',
        command: WebhookCreate,
        args: ['https://10.0.0.1/', '--events=*'],
        code: 2,
      },
      { what: 'an unknown webhook', command: WebhookShow, args: ['no such webhook'], code: 3 },
      { what: 'a deletion of none', command: WebhookDelete, args: ['x', '--yes'], code: 3 },
      { what: 'a replay of ever', command: WebhookReplay, args: ['x'], code: 2 },
    ])
    .run(async ({ assert }, { command, args, code }) => {
      const given = args.map((each) => (each === '%' ? someUrl() : each))
      const ended = await runCommand(command, given)
      assert.equal(ended.code, code)
    })

  test('a test that was {status} ends with {code}')
    .with([
      { status: 'delivered', error: null, code: 0 },
      { status: 'pending', error: 'timeout', code: 1 },
    ])
    .run(async ({ assert }, { status, error, code }) => {
      const { id, name } = await newWebhook()
      const sending = sendTest(id, { status, error })
      const tested = await runCommand(WebhookTest, [name])
      await sending
      assert.equal(tested.code, code)
      assert.containSubset(tested.printed, { type: 'webhook.test', status, attempts: 1 })
    })

  test('a replay says how many events are sent again', async ({ assert }) => {
    const { name } = await newWebhook({ events: ['webhook.test'] })
    /** Other tests remove the oldest events. */
    const events = db.from('audit_events').where('action', 'webhook.created')
    const { id: since } = await events.orderBy('id', 'desc').firstOrFail()
    const replayed = await runCommand(WebhookReplay, [name, `--since=${since}`])
    assert.isAtLeast(replayed.printed.count, 0)
    const disabled = await newWebhook({ enabled: false })
    const refused = await runCommand(WebhookReplay, [disabled.name, '--since=2026-01-01T00:00Z'])
    assert.equal(refused.code, 4)
  })

  test('the help names every subject of events', ({ assert }) => {
    const help = WebhookCreate.help.join(' ')
    const subjects = FILTERS.filter((filter) => filter.endsWith('.*'))
    for (const subject of subjects.filter((each) => each !== 'webhook.*'))
      assert.include(help, subject.replace('.*', ''))
  })
})
