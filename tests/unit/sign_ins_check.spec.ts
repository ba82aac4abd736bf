import { test } from '@japa/runner'
import { isFlood } from '#health/checks/sign_ins_check'

test.group('Doctor | failed sign-ins', () => {
  test('{failures} beside {signIns} that succeeded: {flood}')
    .with([
      { failures: 19, signIns: 0, flood: false },
      { failures: 20, signIns: 0, flood: true },
      { failures: 21, signIns: 0, flood: true },
      { failures: 29, signIns: 3, flood: false },
      { failures: 30, signIns: 3, flood: true },
      { failures: 31, signIns: 3, flood: true },
      { failures: 5_000, signIns: 600, flood: false },
    ])
    .run(({ assert }, { flood, ...counts }) => {
      assert.equal(isFlood(counts), flood)
    })
})
