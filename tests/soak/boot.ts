import 'reflect-metadata'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ignitor } from '@adonisjs/core'
import { importFromApp } from '../../bin/boot.ts'

/** The tests' browser and applications read the settings of the product: this process has some, and serves nothing. */
export async function bootSettings() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  Object.assign(process.env, {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '3333',
    APP_URL: 'http://gatehouse.test',
    LOG_LEVEL: 'fatal',
  })
  const root = new URL('../../', import.meta.url)
  const app = new Ignitor(root, { importer: importFromApp }).createApp('console')
  await app.init()
  await app.boot()
}
