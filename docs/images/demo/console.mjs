export const WIDTH = 680;
export const HEIGHT = 430;
const PATIENCE = 30_000;

/** The console in a browser. */
export class DemoConsole {
  #page;
  #studio;

  constructor(page, studio) {
    this.#page = page;
    this.#studio = studio;
  }

  static async open(browser, server) {
    const options = { viewport: { width: WIDTH, height: HEIGHT }, deviceScaleFactor: 2, colorScheme: 'dark' };
    const page = await browser.newPage(options);
    page.setDefaultTimeout(PATIENCE);
    await page.goto(server.url);
    await page.getByLabel('API key').fill(server.key);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('live', { exact: true }).waitFor();
    return new DemoConsole(page, await browser.newPage());
  }

  /** Waits until a permission request is shown, and can be answered. */
  async asked() {
    await this.#allowButton().click({ trial: true });
  }

  /** Grants it, and says where on the page that was done. */
  async allow() {
    const { x, y, width, height } = await this.#allowButton().boundingBox();
    const box = { x: Math.floor(x) - 4, y: Math.floor(y) - 4, width: Math.ceil(width) + 8, height: Math.ceil(height) + 8 };
    await this.#page.mouse.move(x + width / 2, y + height / 2);
    const pressed = await this.picture(box);
    await this.#allowButton().click();
    await this.#page.getByText('The request was granted').waitFor();
    return { x: x + width / 2, y: y + height / 2, box, pressed };
  }

  /** What the page shows, or a part of it, as a WebP in a data URL: a tenth of a PNG. */
  async picture(clip) {
    const png = (await this.#page.screenshot({ clip })).toString('base64');
    return this.#studio.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.9);
    }, png);
  }

  #allowButton() {
    return this.#page.getByRole('button', { name: 'Allow once' });
  }
}
