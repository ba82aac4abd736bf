/** Every process, commands too, follows what the console says. */
export default class SettingsProvider {
  async boot() {
    await import('#settings/refresh_config')
  }
}
