import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { configure, processCLIArgs, run } from '@japa/runner'
import { fastFolder } from '../tests/support/fast_folder.ts'
import { freePort } from '../tests/support/free_port.ts'
import { temporaryFolder } from '../tests/support/temporary_folder.ts'
import { importFromApp, refuseToStart } from './boot.ts'

// A folder in memory, because each commit of SQLite waits for the disk. Requests come from a
// trusted proxy: each test has its own address and meets no limit of another test.
const dataDir = temporaryFolder('test', fastFolder())
const provider = async () => `http://127.0.0.1:${await freePort()}`
const [hostile, github] = [await provider(), await provider()]
Object.assign(process.env, {
  NODE_ENV: 'test',
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(await freePort()),
  APP_URL: 'http://gatehouse.test',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
  TRUSTED_PROXIES: '127.0.0.0/8',
  CORS_ORIGINS: 'http://app.gatehouse.test',
  OIDC_PROVIDERS: 'acme,hostile',
  OIDC_ACME_ISSUER: await provider(),
  OIDC_ACME_CLIENT_ID: 'gatehouse',
  OIDC_ACME_CLIENT_SECRET: 'a-secret-between-the-two',
  OIDC_HOSTILE_ISSUER: hostile,
  OIDC_HOSTILE_CLIENT_ID: 'gatehouse',
  OIDC_HOSTILE_CLIENT_SECRET: 'a-secret-between-the-two',
  OIDC_HOSTILE_GROUPS_CLAIM: 'groups',
  GOOGLE_CLIENT_ID: 'gatehouse',
  GOOGLE_CLIENT_SECRET: 'a-secret-between-the-two',
  GITHUB_URL: github,
  GITHUB_CLIENT_ID: 'gatehouse',
  GITHUB_CLIENT_SECRET: 'a-secret-between-the-two',
})

/** Nearly every test of these suites hashes passwords, but none is about the time of a hash. */
const hashesCheaply = ['functional', 'browser'].includes(process.argv[2])

await new Ignitor(new URL('../', import.meta.url), { importer: importFromApp })
  .tap((app) => {
    app.booting(async () => {
      await import('#start/env')
      const { default: passwords } = await import('#config/passwords')
      const { default: external } = await import('#config/external')
      external.oidc.find(({ name }) => name === 'google')!.issuer = hostile
      if (hashesCheaply) Object.assign(passwords.argon2, { memoryCost: 1_024, timeCost: 1 })
      const { raiseTimeouts } = await import('#tests/support/timeouts')
      await raiseTimeouts()
    })
  })
  .testRunner()
  .configure(async (app) => {
    const { runnerHooks, ...config } = await import('../tests/bootstrap.js')
    processCLIArgs(process.argv.splice(2))
    configure({
      ...app.rcFile.tests,
      ...config,
      setup: runnerHooks.setup,
      teardown: runnerHooks.teardown.concat([() => app.terminate()]),
    })
  })
  .run(() => run())
  .catch(refuseToStart)
