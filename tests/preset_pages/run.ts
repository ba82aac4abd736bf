import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { presetPages } from './pages.ts'

/* `npm run preset-pages` writes docs/sign-in anew. */

const folder = join(import.meta.dirname, '../../docs/sign-in')
const pages = await presetPages()
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name))
for (const [name, text] of pages) writeFileSync(join(folder, name), text)
console.log(`Wrote ${pages.size} pages to docs/sign-in.`)
