import { test } from '@japa/runner'
import { isOlder } from '#processes/versions'

test.group('Versions', () => {
  test('{0} comes before {1}')
    .with([
      ['0.1.9', '0.2.0'],
      ['0.2.0', '0.10.0'],
      ['0.9.9', '1.0.0'],
      ['1.2', '1.2.1'],
    ] as const)
    .run(({ assert }, [version, than]) => {
      assert.isTrue(isOlder(version, than))
      assert.isFalse(isOlder(than, version))
    })

  test('{0} does not come before {1}')
    .with([
      ['0.2.0', '0.2.0'],
      ['0.2.0-rc.1', '0.2.0'],
      ['0.2.0+build.7', '0.2.0'],
      ['1.0.0', '0.9.9'],
    ] as const)
    .run(({ assert }, [version, than]) => {
      assert.isFalse(isOlder(version, than))
    })
})
