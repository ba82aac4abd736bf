import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import app from '@adonisjs/core/services/app'
import brand from '#config/brand'

/* Assets stay in memory and are named by a hash of their contents, so that browsers cache them forever. */

interface Asset {
  path: string
  type: string
  content: Buffer
}

function webauthnBundle() {
  const entry = createRequire(import.meta.url).resolve('@simplewebauthn/browser')
  return join(dirname(entry), '../dist/bundle/index.umd.min.js')
}

const resources = app.makePath('resources')

function stylesIn(folder: string) {
  return readdirSync(resolve(resources, folder))
    .sort()
    .map((name) => `${folder}/${name}`)
}

/** `tokens.css` names the layers, so it comes first; print styles override all others. */
const STYLES = [
  ...['tokens', 'reset', 'base', 'utilities'].map((name) => `css/${name}.css`),
  ...stylesIn('css/components'),
  ...stylesIn('css/pages'),
]

const SOURCES: Record<string, { files: string[]; type: string }> = {
  'gatehouse.css': {
    files: STYLES,
    type: 'text/css; charset=utf-8',
  },
  'gatehouse.js': {
    files: ['js/gatehouse.js', 'js/fields.js'],
    type: 'text/javascript; charset=utf-8',
  },
  'form_post.js': {
    files: ['js/form_post.js'],
    type: 'text/javascript; charset=utf-8',
  },
  'passkeys.js': {
    files: [webauthnBundle(), 'js/passkeys.js'],
    type: 'text/javascript; charset=utf-8',
  },
  'mark.svg': { files: ['images/mark.svg'], type: 'image/svg+xml' },
}

const byName = new Map<string, Asset>()
const byPath = new Map<string, Asset>()

/** The stylesheet ends with the brand colour, because the content security policy forbids inline styles. */
const BRAND_STYLE = Buffer.from(`:root { --brand: ${brand.color}; }\n`)

for (const [name, { files, type }] of Object.entries(SOURCES)) {
  const contents = files.map((file) => readFileSync(resolve(resources, file)))
  addAsset(name, type, Buffer.concat([...contents, ...(/css$/.test(name) ? [BRAND_STYLE] : [])]))
}

if (brand.logo) addAsset(`logo.${brand.logo.extension}`, brand.logo.type, brand.logo.content)

function addAsset(name: string, type: string, content: Buffer) {
  const [stem, extension] = name.split('.')
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 10)
  const asset = { path: `/assets/${stem}.${digest}.${extension}`, type, content }
  byName.set(name, asset)
  byPath.set(asset.path, asset)
}

export function logoPath() {
  return brand.logo && assetPath(`logo.${brand.logo.extension}`)
}

/** @returns a path such as `/assets/gatehouse.<hash>.css` */
export function assetPath(name: string) {
  return byName.get(name)!.path
}

export function findAsset(path: string) {
  return byPath.get(path) ?? null
}
