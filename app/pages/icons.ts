/** Icons on a grid of 24, stroked in the colour of the text beside them. */
const ICONS: Record<string, string> = {
  chart: '<path d="M4 20V11M10 20V4M16 20v-6M21 20H3"/>',
  people:
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.4a6.5 6.5 0 0 1 3.5 5.6"/>',
  group:
    '<circle cx="12" cy="7" r="3"/><circle cx="5" cy="16.5" r="2.5"/><circle cx="19" cy="16.5" r="2.5"/><path d="M12 10v4M12 14 7.2 15.6M12 14l4.8 1.6"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4.5 20.5a7.5 7.5 0 0 1 15 0"/>',
  screen: '<rect x="3" y="4" width="18" height="12" rx="2"/><path d="M9 20.5h6M12 16v4.5"/>',
  list: '<path d="M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01"/>',
  mail: '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m3.5 7.5 8.5 6 8.5-6"/>',
  leave: '<path d="M14 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h8M10 12h11M17.5 8.5 21 12l-3.5 3.5"/>',
  check: '<circle cx="12" cy="12" r="9"/><path d="m8 12.3 2.8 2.7L16 9.5"/>',
  alert: '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.3M12 16.2h.01"/>',
  bell: '<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4"/>',
  search: '<circle cx="11" cy="11" r="7"/><path d="m20.5 20.5-4.5-4.5"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  back: '<path d="M14.5 5.5 8 12l6.5 6.5"/>',
  up: '<path d="m6 14.5 6-6 6 6"/>',
  down: '<path d="m6 9.5 6 6 6-6"/>',
  save: '<path d="M12 3.5v12M7 11l5 5 5-5M4.5 20.5h15"/>',
  lock: '<rect x="5" y="10.5" width="14" height="10" rx="2"/><path d="M8 10.5V7.5a4 4 0 0 1 8 0v3"/>',
  shield: '<path d="M12 3 5 5.5v6c0 4.5 3 7.5 7 9.5 4-2 7-5 7-9.5v-6z"/>',
  eye: '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="2.8"/>',
  phone: '<rect x="7" y="2.5" width="10" height="19" rx="2.5"/><path d="M11 18.5h2"/>',
  link: '<path d="M10 14a4.5 4.5 0 0 0 6.5 0l3-3a4.6 4.6 0 0 0-6.5-6.5L11.8 5.7M14 10a4.5 4.5 0 0 0-6.5 0l-3 3A4.6 4.6 0 0 0 11 19.5l1.2-1.2"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5.3l3.5 2"/>',
  archive: '<path d="M3.5 4.5h17v4h-17zM5 8.5v11h14v-11M10 12.5h4"/>',
  camera:
    '<path d="M4 7.5h3.5L9.3 5h5.4l1.8 2.5H20a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 18V9A1.5 1.5 0 0 1 4 7.5z"/><circle cx="12" cy="13.2" r="3.6"/>',
  grid: '<rect x="4" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5"/>',
  sliders:
    '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>',
  cross: '<path d="m6 6 12 12M18 6 6 18"/>',
  pulse: '<path d="M2.5 12.5h4l3-8 5 15 3-7h4"/>',
  more: '<path d="M5 12h.01M12 12h.01M19 12h.01"/>',
  key: '<circle cx="8" cy="15.5" r="4.5"/><path d="m11.3 12.3 8.7-8.8M16.5 7l3 3"/>',
}

/** SVG paths are constants and need no escaping. */
export function iconPaths(name: string) {
  return ICONS[name] ?? ''
}
