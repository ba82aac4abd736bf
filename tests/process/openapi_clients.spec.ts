import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from '@japa/runner'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { ace } from './ace.ts'

/*
 | The document, read by tools of other projects. They are installed in a folder of their own,
 | because their engines and peers would cause warnings in ours.
 */

const run = promisify(execFile)

const TYPESCRIPT = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['types.d.ts', 'client/**/*.ts'],
}

test.group('OpenAPI | generated clients', (group) => {
  const folder = temporaryFolder('openapi')
  const tool = (name: string, ...args: string[]) =>
    run(join(folder, 'node_modules/.bin', name), args, {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', DISABLE_TELEMETRY: '1' },
      maxBuffer: 64 * 2 ** 20,
    })

  group.setup(async () => {
    cpSync(join(import.meta.dirname, '../openapi_clients'), folder, { recursive: true })
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TYPESCRIPT))
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
    return () => rmSync(folder, { recursive: true, force: true })
  })
  group.tap((each) => each.timeout(300_000))

  async function writeDocument(version: string) {
    const { stdout } = await ace(folder, ['openapi:export', `--openapi=${version}`])
    writeFileSync(join(folder, 'openapi.json'), stdout)
    const { paths, webhooks = {} } = JSON.parse(stdout)
    const operations = Object.values<object>(paths).flatMap(Object.keys)
    return { operations: operations.length, webhooks: Object.keys(webhooks).length }
  }

  test('every operation of {$self} is typed, and tsc --strict takes what is made')
    .with(['3.0', '3.1'])
    .run(async ({ assert }, version) => {
      const { operations, webhooks } = await writeDocument(version)
      await tool('openapi-typescript', 'openapi.json', '--output', 'types.d.ts')
      await tool('openapi-ts', '--input', 'openapi.json', '--output', 'client', '--no-log-file')
      const types = readFileSync(join(folder, 'types.d.ts'), 'utf8')
      const made = readFileSync(join(folder, 'client/sdk.gen.ts'), 'utf8')
      assert.lengthOf(
        types.match(/^ {8}(?:get|put|post|delete|patch): operations\[/gm)!,
        operations + webhooks
      )
      assert.lengthOf(made.match(/^export const \w+ = </gm)!, operations)
      await tool('tsc', '--project', folder)
    })

  test('Redocly and Spectral find nothing in {$self}')
    .with(['3.0', '3.1'])
    .run(async ({ assert }, version) => {
      await writeDocument(version)
      const { stdout } = await tool('redocly', 'lint', '--format=json', 'openapi.json')
      assert.deepEqual(JSON.parse(stdout).problems, [])
      const spectral = await tool('spectral', 'lint', '--fail-severity=hint', 'openapi.json')
      assert.match(spectral.stdout, /No results/)
    })
})
