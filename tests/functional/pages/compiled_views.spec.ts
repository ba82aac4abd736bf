import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import edge from 'edge.js'
import { test } from '@japa/runner'
import { createAdmin, PASSWORD } from '#tests/support/fixtures'
import { provedOn } from '#tests/support/proved_on'
import { TestBrowser } from '../external/browser.ts'

provedOn('sqlite', 'Views are files, read and compiled in memory.')

const PAGES = ['/sign-in', '/forgot-password', '/account', '/account/security', '/admin/users']

/** Excludes mails, which another test may have queued. */
const VIEWS = /[/\\]resources[/\\]views(?![/\\]mails)/

const work = { compilations: 0, reads: 0 }

/** Edge has no way to remove a hook, so that it stays. Only this file reads the counts. */
edge.processor.process(
  'compiled',
  ({ path }) => void (work.compilations += Number(VIEWS.test(path)))
)

/** Counts each read of a folder or a file of views. */
function countReads() {
  const { readdirSync, readFileSync } = fs
  const counting = (read: Function) =>
    function (this: unknown, ...args: unknown[]) {
      if (VIEWS.test(String(args[0]))) work.reads++
      return read.apply(this, args)
    }
  fs.readdirSync = counting(readdirSync) as typeof readdirSync
  fs.readFileSync = counting(readFileSync) as typeof readFileSync
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, { readdirSync, readFileSync })
    syncBuiltinESMExports()
  }
}

async function signedInAdmin() {
  const { email } = await createAdmin()
  const browser = new TestBrowser()
  await browser.submit('/sign-in', { email, password: PASSWORD })
  return browser
}

test.group('Pages | views', (group) => {
  group.each.setup(countReads)

  test('are read and compiled once', async ({ assert }) => {
    const [visitor, admin] = [new TestBrowser(), await signedInAdmin()]
    const openAll = async () => {
      const opened = PAGES.map((path) => (path.startsWith('/a') ? admin : visitor).request(path))
      const answers = await Promise.all(opened)
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    }
    await openAll()
    Object.assign(work, { compilations: 0, reads: 0 })
    await openAll()
    assert.deepEqual(work, { compilations: 0, reads: 0 })
  })
})
