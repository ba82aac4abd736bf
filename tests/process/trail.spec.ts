import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import { PASSWORD, someEmail } from '#tests/support/users'
import { until } from '#tests/support/waiting'
import { ace } from './ace.ts'
import { Backend, newcomer, patientProfileStatus, signIn } from './backend.ts'
import { CommandProcess } from './command_process.ts'
import { newDataDir, Product } from './product.ts'

/** Returns the `audit head` lines of a process, oldest first. */
function headsOf({ lines }: Product) {
  const heads = lines.filter((line) => line.includes('"audit head"'))
  return heads.map((line) => JSON.parse(line) as { sequence: number; hash: string })
}

test.group('Trail | several processes', (group) => {
  let backend: Backend
  let products: Product[]
  group.setup(async () => {
    backend = await Backend.withPostgres()
    products = await Promise.all([1, 2].map(() => Product.start(backend.settings)))
  })
  group.teardown(async () => {
    for (const product of products) await product.remove()
    await backend.remove()
  })

  const unsealed = async () => {
    const rows = await backend.query('SELECT id FROM audit_events WHERE sequence IS NULL')
    return rows.length
  }
  const isSealed = async () => (await unsealed()) === 0 || undefined
  const verify = (args: string[] = []) =>
    ace(products[0].dataDir, ['audit:verify', '--json', ...args], { settings: backend.settings })

  /** Changes several users at the same time, on both processes. */
  async function busy(changes: number) {
    const users = await Promise.all(products.map((product) => newcomer(product)))
    const sends = Array.from({ length: changes }, (_, index) => {
      const { token } = users[index % 2]
      const body = { username: `name ${index}` }
      return products[index % 2].ask('/auth/profile', { method: 'PUT', token, body })
    })
    const answers = await Promise.all(sends)
    return answers.filter(({ status }) => status === 200).length
  }

  test('link every event once into one chain', async ({ assert }) => {
    const changes = await busy(40)
    await until(isSealed)
    const { code, json } = await verify()
    assert.equal(code, 0)
    assert.isAbove(json().events, changes)
    const [{ gaps }] = await backend.query(
      'SELECT max(sequence) - count(*) AS gaps FROM audit_events'
    )
    assert.equal(Number(gaps), 0)
  })

  test('seal what a killed process has left', async ({ assert }) => {
    await busy(20)
    await products[1].stop('SIGKILL')
    products[1] = await Product.start(backend.settings)
    await until(isSealed)
    const { code } = await verify()
    assert.equal(code, 0)
  })

  test('seal the last events before they end', async ({ assert }) => {
    await busy(10)
    await Promise.all(products.map((product) => product.stop('SIGTERM')))
    assert.equal(await unsealed(), 0)
    products = await Promise.all([1, 2].map(() => Product.start(backend.settings)))
  })

  test('do not wait for one that is frozen', async ({ assert }) => {
    const { token } = await newcomer(products[0])
    products[1].child.kill('SIGSTOP')
    const body = { username: 'a name' }
    await products[0].ask('/auth/profile', { method: 'PUT', token, body })
    await until(isSealed)
    products[1].child.kill('SIGCONT')
    assert.equal(await patientProfileStatus(products[0], token), 200)
  })

  test('the verification names events that no process seals', async ({ assert }) => {
    const id = '01930f3c-0000-7000-8000-00000000000f'
    await backend.query(`
      INSERT INTO audit_events (id, occurred_at, action, outcome, actor, details, mac)
      VALUES ('${id}', 1, 'account.updated', 'success', 'system', '{}', 'forged')`)
    const { code, json } = await verify()
    assert.equal(code, 1)
    assert.deepEqual(json().unsealed, [id])
  })
})

test.group('Trail | head', (group) => {
  let product: Product
  let commands: CommandProcess
  group.setup(async () => {
    product = await Product.start({ LOG_LEVEL: 'info' })
    commands = new CommandProcess(product.dataDir)
  })
  group.teardown(async () => {
    await commands.stop()
    return product.remove()
  })

  const run = (args: string[], stdin?: string) => ace(product.dataDir, args, { stdin })

  /** Returns the head that is logged after an administrator has changed something. */
  async function headAfterChange() {
    const email = someEmail()
    const created = await run(['user:create', email, '--role=Admin', '--permanent'], PASSWORD)
    if (created.code !== 0) throw new Error(created.stderr)
    const { token } = await signIn(product, { email })
    await until(async () => headsOf(product).length > 0)
    const before = headsOf(product).length
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.ask('/users', { token, body: user })
    return until(() => headsOf(product)[before])
  }

  test('is in the log and in the chain', async ({ assert }) => {
    const { sequence, hash } = await headAfterChange()
    const { code, stderr } = await run(['audit:verify', `--expect=${sequence}:${hash}`])
    assert.equal(code, 0, stderr)
  })

  test('another head fails, and so does one beyond', async ({ assert }) => {
    const other = await commands.run(['audit:verify', `--expect=1:${'x'.repeat(43)}`])
    assert.equal(other.code, 1)
    assert.include(other.stderr, 'does not pass through')
    const beyond = await commands.run(['audit:verify', `--expect=999999:${'x'.repeat(43)}`])
    assert.equal(beyond.code, 1)
    assert.include(beyond.stderr, 'the chain ends at')
  })

  test('a malformed head is a usage error', async ({ assert }) => {
    for (const head of ['', '1', 'x:y', `0:${'x'.repeat(43)}`]) {
      const { code } = await commands.run(['audit:verify', `--expect=${head}`])
      assert.equal(code, 2)
    }
  })

  test('a command seals what it has recorded', async ({ assert }) => {
    await product.stop()
    const { code } = await run(['store:prune'])
    assert.equal(code, 0)
    const verdict = await run(['audit:verify', '--json'])
    assert.deepEqual(verdict.json().unsealed, [])
  })
})

/** The product's own time is overwritten with a time of two days ago. */
const UPDATE_TRIGGERS = `SELECT name FROM sqlite_master
  WHERE type = 'trigger' AND tbl_name = 'audit_events' AND sql LIKE '%BEFORE UPDATE%'`

test.group('Trail | retention without a server', (group) => {
  const settings = { AUDIT_RETENTION: '24h' }
  let dataDir: string
  let commands: CommandProcess
  group.each.setup(() => {
    dataDir = newDataDir()
    commands = new CommandProcess(dataDir, settings)
    return async () => {
      await commands.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  async function run(...args: string[]) {
    const { json } = await commands.succeed([...args, '--json'])
    return json()
  }

  function query(sql: string) {
    const database = new Sqlite(join(dataDir, 'gatehouse.sqlite'))
    try {
      const statement = database.prepare(sql)
      return statement.reader ? statement.all() : statement.run()
    } finally {
      database.close()
    }
  }

  test('store:prune keeps old events that a webhook waits for', async ({ assert }) => {
    const webhook = await run('webhook:create', 'https://hooks.example.org/', '--events=group.*')
    await run('group:create', 'Staff')
    await run('store:prune')
    for (const { name } of query(UPDATE_TRIGGERS) as { name: string }[])
      query(`DROP TRIGGER ${name}`)
    query('UPDATE audit_events SET occurred_at = occurred_at - 172800000')
    await run('store:prune')
    const created = () => query("SELECT id FROM audit_events WHERE action = 'group.created'")
    assert.lengthOf(created() as object[], 1)
    await run('webhook:delete', webhook.id, '--yes')
    await run('store:prune')
    assert.lengthOf(created() as object[], 0)
  })
})
