import 'reflect-metadata'
import { Ignitor } from '@adonisjs/core'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { importFromApp } from '../../bin/boot.ts'

/** Sets settings of the product, which the tests' browser and applications read. Serves nothing. */
export async function bootSettings() {
  const dataDir = temporaryFolder('soak')
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
