import { test } from '@japa/runner'
import {
  expectedOf,
  makeEveryKind,
  proveEach,
  startCounterparts,
  STORED_SETTINGS,
} from '../functional/matrix/stored_kinds.ts'
import { Installation } from './installation.ts'

test.group('Stored kinds | backup of the files', () => {
  test('all are there on another server', async ({ assert, cleanup }) => {
    const counterpart = await startCounterparts()
    cleanup(async () => void (await counterpart.stop()))
    const installation = await Installation.start(null, STORED_SETTINGS)
    cleanup(() => installation.remove())
    const made = await makeEveryKind(installation)
    const copy = await installation.startCopy()
    cleanup(() => copy.remove())
    assert.deepEqual(await proveEach(made, copy), expectedOf(made))
  }).timeout(600_000)
})
