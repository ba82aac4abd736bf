import 'reflect-metadata'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ignitor } from '@adonisjs/core'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { importFromApp } from '../../bin/boot.ts'

/* `npm run preset-pages` writes docs/sign-in anew. */

const root = new URL('../../', import.meta.url)
const folder = join(import.meta.dirname, '../../docs/sign-in')
const dataDir = temporaryFolder('preset-pages')
Object.assign(process.env, { NODE_ENV: 'test', DATA_DIR: dataDir })

/* What reads presets imports the logger, which needs an application. */
const app = new Ignitor(root, { importer: importFromApp }).createApp('console')
await app.init()
await app.boot()
const { presetPages } = await import('./pages.ts')
const pages = await presetPages()
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name))
for (const [name, text] of pages) writeFileSync(join(folder, name), text)
console.log(`Wrote ${pages.size} pages to docs/sign-in.`)
await app.terminate()
