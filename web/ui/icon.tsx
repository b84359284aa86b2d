// The icons of the web app: 16 × 16, stroked in the current text color.
const PATHS = {
  folder: 'M1.5 4.5h4l1.5 1.5h7.5v7h-13z',
  model: 'M8 1.5l5.5 3.25v6.5L8 14.5l-5.5-3.25v-6.5zM2.5 4.75L8 8l5.5-3.25M8 8v6.5',
  assembly: 'M5 1.5l3.5 2v4L5 9.5 1.5 7.5v-4zM11 7l3.5 2v4L11 15l-3.5-2V9z',
  code: 'M5 4L1.5 8 5 12M11 4l3.5 4L11 12M9.5 2.5l-3 11',
  search: 'M7 2a5 5 0 100 10A5 5 0 007 2zM10.7 10.7L14.5 14.5',
  jobs: 'M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4',
  audit: 'M3 1.5h7l3 3v10H3zM5.5 7h5M5.5 9.5h5M5.5 12h3',
  admin: 'M8 1.5l5.5 2v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4zM5.5 8l2 2 3.5-3.5',
  plus: 'M8 2.5v11M2.5 8h11',
  lock: 'M4 7.5V5a4 4 0 018 0v2.5M3 7.5h10v7H3z',
  upload: 'M8 11V2.5M4.5 6L8 2.5 11.5 6M2 11v2.5h12V11',
  download: 'M8 2.5V11M4.5 7.5L8 11l3.5-3.5M2 11v2.5h12V11',
  history: 'M4 2.5v11M4 6c0 3 7 1 7 4.5M4 2.5a1 1 0 100-.01M4 13.5a1 1 0 100-.01M11 11a1 1 0 100-.01',
  cube: 'M8 1.5l5.5 3.25v6.5L8 14.5l-5.5-3.25v-6.5z',
  table: 'M1.5 3h13v10h-13zM1.5 6.5h13M1.5 9.8h13M6 3v10',
  used: 'M8 14V9M8 9L4 5M8 9l4-4M4 5V2M12 5V2',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  more: 'M3.4 8a.4.4 0 10-.8 0 .4.4 0 10.8 0M8.4 8a.4.4 0 10-.8 0 .4.4 0 10.8 0M13.4 8a.4.4 0 10-.8 0 .4.4 0 10.8 0',
  right: 'M6 3l5 5-5 5',
  up: 'M3 10l5-5 5 5',
  down: 'M3 6l5 5 5-5',
  warning: 'M8 2l6.5 12h-13zM8 6.5V10M8 12v.01',
  done: 'M2.5 8.5l3.5 3.5 7.5-8',
  out: 'M6.5 2.5h-4v11h4M6 8h8.5M11 4.5L14.5 8 11 11.5',
  ask: 'M2 3h12v8H8l-3.5 3v-3H2zM5 6h6M5 8.3h4',
  copy: 'M5.5 5.5h8v9h-8zM5.5 11h-3v-9h8v3.5',
  edit: 'M2.5 13.5l.8-3.2 7.5-7.5 2.4 2.4-7.5 7.5zM9.3 4.3l2.4 2.4',
  archive: 'M1.5 3h13v3h-13zM2.5 6v7.5h11V6M6 9h4',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9.5h6.6l.7-9.5M6.5 7v4.5M9.5 7v4.5',
  release: 'M8 1.5l2 2.3 3-.3-.3 3 2.3 2-2.3 2 .3 3-3-.3-2 2.3-2-2.3-3 .3.3-3-2.3-2 2.3-2-.3-3 3 .3zM5.5 8l2 2 3-3.5',
  branch: 'M4 2.5v11M4 9c0-3 7-1.5 7-4.5M4 2.5a1 1 0 100-.01M4 13.5a1 1 0 100-.01M11 4.5a1 1 0 100-.01',
  eye: 'M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8zM8 6a2 2 0 100 4 2 2 0 000-4z',
  hidden: 'M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8zM2.5 14L13.5 2',
  fit: 'M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5M5.5 5.5h5v5h-5z',
  cut: 'M8 1.5v13M5.5 3.5H2v9h3.5M10.5 3.5h1M13.5 3.5h.5v1M14 7v2M14 11.5v1h-.5M11.5 12.5h-1',
  explode:
    'M6 6h4v4H6zM4.5 4.5L2 2M2 4.5V2h2.5M11.5 4.5L14 2M11.5 2H14v2.5M4.5 11.5L2 14M2 11.5V14h2.5M11.5 11.5L14 14M14 11.5V14h-2.5',
  edges: 'M4.5 2h9.5v9.5M4.5 2L2 4.5V14h9.5L14 11.5M2 4.5h9.5V14M11.5 4.5L14 2',
  colors: 'M8 1.8C5.5 5 3.8 7.3 3.8 9.8a4.2 4.2 0 008.4 0C12.2 7.3 10.5 5 8 1.8zM8 1.8v12.2',
  measure: 'M1.5 10.5l9-9 4 4-9 9zM4 8l1.5 1.5M6.5 5.5L9 8M9 3l1.5 1.5',
  distance: 'M4.6 11.4l6.8-6.8M3.5 11a1.5 1.5 0 100 3 1.5 1.5 0 000-3zM12.5 2a1.5 1.5 0 100 3 1.5 1.5 0 000-3z',
  person: 'M8 2a3 3 0 100 6 3 3 0 000-6zM2.5 14.5c.5-3.5 2.6-5 5.5-5s5 1.5 5.5 5',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name, class: className = '' }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${className}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
