import { test } from '@japa/runner'
import { deviceName } from '#auth/sessions/device'

test.group('Device name', () => {
  test('of a browser keeps browser and system', ({ assert }) => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    assert.equal(deviceName(agent), 'Firefox on Linux')
  })

  test('that a stranger chose has 40 characters at most')
    .with([39, 40, 41, 512])
    .run(({ assert }, length) => {
      assert.equal(deviceName('W'.repeat(length)), 'W'.repeat(Math.min(length, 40)))
    })
})
