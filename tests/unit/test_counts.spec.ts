import { test } from '@japa/runner'
import { failuresOf } from '#tests/support/test_counts'

/** Makes a suite that consists of one group. */
function suiteOf({ ofTest, ofGroup }: { ofTest?: Error; ofGroup?: Error }) {
  const errorsOf = (error?: Error) => (error ? [{ error }] : [])
  const one = { title: 'keeps a key', errors: errorsOf(ofTest) }
  const group = { name: 'Keys', errors: errorsOf(ofGroup), children: [one] }
  return [{ name: 'unit', errors: [], children: [group] }]
}

test.group('Counts of tests | why one failed', () => {
  test('the message of an error', ({ assert }) => {
    const failures = failuresOf(suiteOf({ ofTest: new Error('It is gone') }))
    assert.deepEqual(failures, [{ title: 'keeps a key', reason: 'It is gone' }])
  })

  test('the values that differ', ({ assert }) => {
    const compared = { actual: { status: 503, id: 1 }, expected: { status: 200, id: 1 } }
    const ofTest = Object.assign(new Error('Not equal'), compared)
    const [{ reason }] = failuresOf(suiteOf({ ofTest }))
    assert.match(reason, /^Not equal\n/)
    assert.include(reason, '+   status: 503')
    assert.include(reason, '-   status: 200')
  })

  test('a hook by its group', ({ assert }) => {
    const failures = failuresOf(suiteOf({ ofGroup: new Error('No server') }))
    assert.deepEqual(failures, [{ title: 'Keys', reason: 'No server' }])
  })
})
