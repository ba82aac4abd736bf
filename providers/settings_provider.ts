/** Every process, including each command, follows the settings of the console. */
export default class SettingsProvider {
  async boot() {
    await import('#settings/refresh_config')
  }

  async start() {
    const { describeSettings } = await import('#processes/live_processes')
    const { settingDigests } = await import('#settings/digests')
    describeSettings(settingDigests)
  }
}
