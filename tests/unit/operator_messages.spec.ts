import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { readOperatorMessages } from '#i18n/operator_messages'
import { temporaryFolder } from '#tests/support/temporary_folder'

/** Reads a folder with the given files. */
async function read(files: Record<string, string>, warnings: object[] = []) {
  const folder = temporaryFolder('lang')
  for (const [file, contents] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), contents)
  }
  const logger = { warn: (warning: object) => warnings.push(warning) } as any
  try {
    return await readOperatorMessages({ folder, productFolder: 'resources/lang', logger })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const json = (key: string, text: unknown) => JSON.stringify({ [key]: text })

test.group('Language files of an operator', () => {
  test('replace single messages and add languages', async ({ assert }) => {
    const messages = await read({
      'de/common.json': json('copy', 'In die Ablage'),
      'pt-BR/errors.json': JSON.stringify({ codes: { E_FORBIDDEN: 'Não permitido' } }),
    })
    assert.deepEqual(messages, {
      'de': { 'common.copy': 'In die Ablage' },
      'pt-BR': { 'errors.codes.E_FORBIDDEN': 'Não permitido' },
    })
  })

  test('are none where there is no folder', async ({ assert }) => {
    const source = { folder: '/nowhere', productFolder: 'resources/lang', logger: {} as any }
    assert.deepEqual(await readOperatorMessages(source), {})
  })

  test('may have a key that the product has no more', async ({ assert }) => {
    const warnings: object[] = []
    assert.deepEqual(await read({ 'de/common.json': json('former', 'x') }, warnings), { de: {} })
    assert.containSubset(warnings, [{ key: 'common.former' }])
  })

  test('are refused with the file and the key: {fault}')
    .with([
      { fault: 'no JSON', file: 'de/common.json', text: '{ "copy": ', names: /de\/common\.json/ },
      { fault: 'no text', file: 'de/common.json', text: json('copy', 5), names: /common\.copy/ },
      {
        fault: 'a placeholder that does not end',
        file: 'de/errors.json',
        text: JSON.stringify({ retry_in: '{message' }),
        names: /errors\.json errors\.retry_in/,
      },
      {
        fault: 'a value that there is not',
        file: 'de/common.json',
        text: json('copy', '{secret}'),
        names: /common\.copy.*\{secret\}/,
      },
      {
        fault: 'a long text',
        file: 'de/common.json',
        text: json('copy', 'x'.repeat(5_001)),
        names: /common\.copy.*5000/,
      },
      { fault: 'a large file', file: 'de/common.json', text: ' '.repeat(600_000), names: /512 KB/ },
      { fault: 'no language', file: 'german1/common.json', text: '{}', names: /german1/ },
    ])
    .run(async ({ assert }, { file, text, names }) => {
      await assert.rejects(() => read({ [file]: text }), names)
    })
})
