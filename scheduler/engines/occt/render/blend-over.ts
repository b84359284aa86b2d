import type { RgbaImage } from './shade.ts';

/** Blends an image over another of the same size, which it changes and returns. */
export function blendOver(image: RgbaImage, over: RgbaImage): RgbaImage {
  const { data } = image;
  for (let at = 0; at < data.length; at += 4) {
    const opacity = over.data[at + 3]! / 255;
    if (!opacity) continue;
    const behind = (data[at + 3]! / 255) * (1 - opacity);
    const total = opacity + behind;
    for (let i = at; i < at + 3; i++) data[i] = (over.data[i]! * opacity + data[i]! * behind) / total;
    data[at + 3] = 255 * total;
  }
  return image;
}
