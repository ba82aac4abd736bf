import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { freePort } from '#tests/support/free_port'
import { TestBrowser } from '../functional/external/browser.ts'
import { mailFilesOf, partsOf } from '#tests/support/mail'
import { SmtpServer } from '#tests/servers/smtp'
import { SCHEDULING_MS, until } from '#tests/support/waiting'
import { ace } from './ace.ts'
import { newDataDirFor, Product } from './product.ts'

const CREDENTIALS = { user: 'gatehouse', pass: 'correct horse' }
const UNLIMITED = { REGISTER_IP_LIMIT: '0' }

/** Starts a product with its own mail server. `isUp` says whether that server listens already. */
async function startSending({ isUp = true, more = {} } = {}) {
  const smtp = new SmtpServer(await freePort(), CREDENTIALS)
  if (isUp) await smtp.start()
  const settings = {
    MAIL_MAILER: 'smtp',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(smtp.port),
    SMTP_USERNAME: CREDENTIALS.user,
    SMTP_PASSWORD: CREDENTIALS.pass,
    MAIL_FROM: 'Example <accounts@example.org>',
    APP_URL: 'https://auth.example.org',
    ...more,
  }
  const product = await Product.start(settings)
  return { smtp, product, settings }
}

async function end(product: Product, smtp: SmtpServer) {
  await product.remove()
  await smtp.stop()
}

async function register(product: Product, email = someEmail()) {
  const { status } = await product.request('/auth/register', {
    body: { email, username: 'Ada', password: PASSWORD },
  })
  return status === 201 ? email : null
}

/** Reads or writes the database of a running product. */
function inspect<T>(product: Product, look: (database: Database.Database) => T) {
  const database = new Database(join(product.dataDir, 'gatehouse.sqlite'))
  try {
    return look(database)
  } finally {
    database.close()
  }
}

function withError(row: any) {
  return row.last_error ? row : null
}

function mailRow(product: Product) {
  return inspect(product, (database) => database.prepare('SELECT * FROM mails').get() as any)
}

test.group('SMTP | delivery', () => {
  test('sends within a second what a request queued', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending()
    cleanup(() => end(product, smtp))
    const email = await register(product)
    await until(() => smtp.received.length > 0, 1_000 + SCHEDULING_MS)
    const [mail] = smtp.received
    assert.deepEqual(mail.to, [email])
    assert.equal(mail.from, 'accounts@example.org')
    const { text, html } = partsOf(mail.raw)
    assert.include(text, 'https://auth.example.org/verify-email?token=')
    assert.include(html, 'https://auth.example.org/verify-email?token=')
    await until(() => mailRow(product).status === 'sent')
  })

  test('tries again after a temporary refusal', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending()
    cleanup(() => end(product, smtp))
    smtp.refuse({ code: 451 })
    await register(product)
    const refused = await until(() => withError(mailRow(product)))
    assert.containSubset(refused, { status: 'queued', attempts: 1 })
    assert.include(refused.last_error, '451')
    await until(() => mailRow(product).status === 'sent')
    assert.containSubset(mailRow(product), { attempts: 2, last_error: null, payload: null })
    assert.lengthOf(smtp.received, 1)
  })

  test('waits for a server that is down', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending({ isUp: false })
    cleanup(() => end(product, smtp))
    await register(product)
    await until(() => mailRow(product).last_error)
    await smtp.start()
    await until(() => mailRow(product).status === 'sent')
    assert.lengthOf(smtp.received, 1)
  })

  test('gives up at once on a permanent refusal', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending()
    cleanup(() => end(product, smtp))
    smtp.refuse({ code: 550, at: 'RCPT' })
    await register(product)
    await until(() => mailRow(product).status === 'failed')
    assert.equal(mailRow(product).attempts, 1)
    await until(() => waitingJobs(product).length === 0)
  })

  test('a refused sender is red, and waits for another one', async ({ assert, cleanup }) => {
    const { smtp, product, settings } = await startSending()
    cleanup(() => end(product, smtp))
    const text = '\u001B[2K\u009B1A\u202Eno'
    smtp.refuse(...Array.from({ length: 9 }, () => ({ code: 550, at: 'MAIL', text }) as const))
    await register(product)
    const refused = await until(() => withError(mailRow(product)))
    assert.containSubset(refused, { status: 'queued' })
    await until(async () => {
      const { body } = await product.request('/health')
      return body.status === 'degraded'
    })
    const run = (command: string) => ace(product.dataDir, [command], { settings })
    const doctor = await run('doctor')
    assert.match(doctor.stdout, /not delivered[^]+550[^]+MAIL_FROM/)
    assert.match(doctor.stdout, /\[2K/)
    assert.notMatch(doctor.stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    const { stdout } = await run('mail:list')
    assert.match(stdout, /Reason[^]+550/)
  })

  test('gives up after the last try', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending()
    cleanup(() => end(product, smtp))
    smtp.refuse({ code: 451 }, { code: 451 }, { code: 451 })
    await register(product)
    await until(() => mailRow(product).attempts === 1)
    await skipTo(product, 15)
    await until(() => mailRow(product).attempts === 2)
    assert.equal(mailRow(product).status, 'queued')
    await skipTo(product, 16)
    await until(() => mailRow(product).status === 'failed')
    await until(() => waitingJobs(product).length === 0)
    assert.isNotNull(mailRow(product).payload)
  })
})

const ADMIN = { ADMIN_EMAIL: 'grace@example.org', ADMIN_PASSWORD: PASSWORD }

/** Returns settings with which a browser keeps the cookies of a product on this machine. */
async function localAdmin(more: Record<string, string> = {}) {
  const PORT = String(await freePort())
  return { ...ADMIN, ...more, PORT, APP_URL: `http://127.0.0.1:${PORT}` }
}

async function signInToConsole({ url }: Product) {
  const browser = new TestBrowser()
  const fields = { email: ADMIN.ADMIN_EMAIL, password: PASSWORD }
  const { status } = await browser.submit(`${url}/sign-in`, fields)
  if (status !== 303) throw new Error(`The sign-in was answered with ${status}`)
  return browser
}

/** Sends a test mail, and returns what the console says about it. */
async function sendTestMail({ url }: Product, browser: TestBrowser) {
  await browser.submit(`${url}/admin/mails`, {}, `${url}/admin/mails/test`)
  return pageOf(browser, `${url}/admin/mails`)
}

async function pageOf(browser: TestBrowser, url: string) {
  const response = await browser.request(url)
  return response.text()
}

test.group('SMTP | what operators are told', () => {
  test('names what a server answers that refuses us', async ({ assert, cleanup }) => {
    const more = await localAdmin({ SMTP_PASSWORD: 'wrong' })
    const { smtp, product, settings } = await startSending({ more })
    cleanup(() => end(product, smtp))
    const browser = await signInToConsole(product)
    const mails = await sendTestMail(product, browser)
    assert.match(mails, /was not delivered yet. We will try again.*535/s)
    const dashboard = await pageOf(browser, `${product.url}/admin`)
    assert.match(dashboard, /535.*dot-bad.*Not delivered/s)
    const { body } = await product.request('/health')
    assert.equal(body.status, 'degraded')
    const metrics = await fetch(`${product.url}/metrics`)
    assert.match(await metrics.text(), /^gatehouse_mails_total\{outcome="deferred"\} [1-9]/m)
    const doctor = await ace(product.dataDir, ['doctor', '--json'], { settings })
    const check = doctor.json().find(({ subject }: { subject: string }) => subject === 'mail')
    assert.containSubset(check, { state: 'fault' })
    assert.include(check.finding, '535')
  })

  test('tells of a test mail what the server did', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending({ more: await localAdmin() })
    cleanup(() => end(product, smtp))
    const browser = await signInToConsole(product)
    assert.include(await sendTestMail(product, browser), 'accepted the test mail')
    assert.lengthOf(smtp.received, 1)
    const dashboard = await pageOf(browser, `${product.url}/admin`)
    assert.match(dashboard, /Mail queue[^]{0,600}\bOK\b/)
    const { body } = await product.request('/health')
    assert.equal(body.status, 'ok')
    smtp.refuse({ code: 550, at: 'RCPT' }, 'hang')
    assert.include(await sendTestMail(product, browser), 'refused the test mail')
    assert.include(await sendTestMail(product, browser), 'has not answered yet')
  }).timeout(90_000)

  test('shows red while mails fail for good, and green again', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending({ more: await localAdmin() })
    cleanup(() => end(product, smtp))
    const browser = await signInToConsole(product)
    smtp.refuse({ code: 550, at: 'RCPT' })
    assert.include(await sendTestMail(product, browser), 'refused the test mail')
    const dashboard = await pageOf(browser, `${product.url}/admin`)
    assert.match(dashboard, /notice-bad(?:(?!notice-).)*One check failed: Mail\./s)
    const system = await pageOf(browser, `${product.url}/admin/system`)
    assert.match(system, /dot-bad[^]*Mails are not delivered[^]*550[^]*Check SMTP_/)
    assert.include(await sendTestMail(product, browser), 'accepted the test mail')
    await until(async () => {
      const page = await pageOf(browser, `${product.url}/admin`)
      return !page.includes('notice-bad')
    })
  }).timeout(90_000)

  test('tries what waits once a test mail got through', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending({ more: await localAdmin() })
    cleanup(() => end(product, smtp))
    const browser = await signInToConsole(product)
    smtp.refuse({ code: 451 })
    await register(product)
    await until(() => withError(mailRow(product)))
    const later = "UPDATE queue_jobs SET execute_at = execute_at + 3600000 WHERE status = 'delayed'"
    await until(() => inspect(product, (database) => database.prepare(later).run().changes === 1))
    assert.include(await sendTestMail(product, browser), 'accepted the test mail')
    await until(() => mailRow(product).status === 'sent')
    await until(async () => {
      const { body } = await product.request('/health')
      return body.status === 'ok'
    })
  })

  test('the first steps end for good with the last of them', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending({ more: await localAdmin() })
    cleanup(() => end(product, smtp))
    const browser = await signInToConsole(product)
    const url = `${product.url}/admin`
    await sendTestMail(product, browser)
    inspect(product, (database) => database.prepare('UPDATE users SET mfa_enabled = 1').run())
    await browser.submit(url, {}, `${url}/checklist/docs`)
    for (const step of ['brand', 'sign_up', 'application', 'backup'])
      await browser.submit(url, {}, `${url}/checklist/skip/${step}`)
    assert.include(await pageOf(browser, url), 'First steps')
    const invitation = { email: 'ada@example.org', username: 'Ada', role: 'User' }
    await browser.submit(`${url}/users/invite`, invitation)
    assert.notInclude(await pageOf(browser, url), 'First steps')
    inspect(product, (database) => database.prepare("DELETE FROM mails WHERE kind = 'test'").run())
    assert.notInclude(await pageOf(browser, url), 'First steps')
  })
})

test.group('Mail | kill -9', () => {
  test('sends after a restart an interrupted mail', async ({ assert, cleanup }) => {
    const { smtp, product, settings } = await startSending()
    smtp.refuse('hang')
    await register(product)
    await until(() => smtp.hanging === 1)
    await product.stop('SIGKILL')
    assert.lengthOf(smtp.received, 0)
    const restarted = await Product.start(settings, product.dataDir)
    cleanup(() => end(restarted, smtp))
    await until(() => mailRow(restarted).status === 'sent', 40_000)
    assert.lengthOf(smtp.received, 1)
  }).timeout(90_000)

  test('loses and doubles no acknowledged mail', async ({ assert, cleanup }) => {
    const dataDir = newDataDirFor(UNLIMITED)
    const registered: string[] = []
    let product = await Product.start(UNLIMITED, dataDir)
    cleanup(() => product.remove())
    for (let round = 1; round <= 2; round++) {
      const clients = Array.from({ length: 4 }, async () => {
        for (;;) registered.push((await register(product))!)
      }).map((client) => client.catch(() => {}))
      const enough = registered.length + 8
      await until(() => registered.length >= enough)
      await product.stop('SIGKILL')
      await Promise.all(clients)
      product = await Product.start(UNLIMITED, dataDir)
    }
    await until(() => waitingJobs(product).length === 0, 90_000)
    for (const email of registered) {
      assert.lengthOf(await mailFilesOf(email, join(dataDir, 'outbox')), 1, email)
    }
    assert.isAbove(registered.length, 10)
  }).timeout(180_000)

  test('ends in order while a server hangs', async ({ assert, cleanup }) => {
    const { smtp, product } = await startSending()
    cleanup(() => end(product, smtp))
    smtp.refuse('hang')
    await register(product)
    await until(() => smtp.hanging === 1)
    const startedAt = performance.now()
    assert.equal(await product.stop('SIGTERM'), 0)
    assert.isBelow(performance.now() - startedAt, 10_000)
    assert.equal(mailRow(product).status, 'queued')
  })
})

/** Makes the delayed job due, and sets the number of its attempts. */
function skipTo(product: Product, attempts: number) {
  const sql = `UPDATE queue_jobs SET execute_at = 1, data = json_set(data, '$.attempts', ?)
    WHERE status = 'delayed'`
  return until(() =>
    inspect(product, (database) => database.prepare(sql).run(attempts).changes === 1)
  )
}

function waitingJobs(product: Product) {
  return inspect(product, (database) => database.prepare('SELECT * FROM queue_jobs').all())
}
