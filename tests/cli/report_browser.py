"""report_browser.py DDBSIM - looks at pages of `ddbsim report` in headless Chromium.

Of a run and of a sweep, on a wide screen and a telephone, light and dark: no message on the
console, no request, nothing clipped, every picture there and described, text that stands out from
its ground, and tables that sort. Names of keys that look like markup stay text.
Skipped where there is no chromedriver. Both programs listen on loopback only.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

SKIPPED = 77
SCREENS = {"wide": (1280, 900), "telephone": (390, 844)}
SCENARIO = """name: browser
duration: 30s
parameters: {rate: 1500}
tables:
  - TableName: orders
    ProvisionedThroughput: {ReadCapacityUnits: 10, WriteCapacityUnits: 3000}
    AttributeDefinitions: [{AttributeName: PK, AttributeType: S}]
    KeySchema: [{AttributeName: PK, KeyType: HASH}]
fields:
  who: {zipf: {n: 500, s: 1.2}}
workload:
  - name: a-workload-of-a-rather-long-name-that-takes-much-room
    operation: PutItem
    rate: "${rate}"
    item: {PK: "<img src=http://127.0.0.1:9/x onerror=alert(1)>#{who}"}
    item_size: 900B
client: {retry: none, latency: 3ms}
"""

# What is wrong with a page: a list of sentences.
FAULTS = r"""
const faults = [], width = document.documentElement.clientWidth;
const scrolls = (element) => element !== null && element !== document.body &&
  (["auto", "scroll"].includes(getComputedStyle(element).overflowX)
    || scrolls(element.parentElement));
if (document.documentElement.scrollWidth > width)
  faults.push(`the page is ${document.documentElement.scrollWidth} wide, the screen ${width}`);
const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
const light = (colour) => numbers(colour).slice(0, 3).map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (element) => {
  const own = numbers(getComputedStyle(element).backgroundColor);
  return own.length > 3 && own[3] === 0 ? ground(element.parentElement)
    : getComputedStyle(element).backgroundColor;
};
for (const element of document.body.querySelectorAll("*:not(script)")) {
  const box = element.getBoundingClientRect(), text = element.textContent.trim().slice(0, 30);
  const isOut = box.right > width + 1 || box.left < -1;
  if (box.width > 0 && isOut && !scrolls(element.parentElement))
    faults.push(`${element.tagName} '${text}' ends at ${box.right}`);
  const isText = (node) => node.nodeType === 3 && node.data.trim() !== "";
  if (box.width > 0 && [...element.childNodes].some(isText)) {
    const two = [light(getComputedStyle(element).color), light(ground(element))];
    const contrast = (Math.max(...two) + 0.05) / (Math.min(...two) + 0.05);
    if (contrast < 4.5) faults.push(`${element.tagName} '${text}' has a contrast of ${contrast}`);
  }
}
for (const image of document.images)
  if (!image.complete || image.naturalWidth === 0 || image.alt.length < 20)
    faults.push(`a picture is missing, or not described: '${image.alt}'`);
if (document.images.length === 0) faults.push("no picture");
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
if (new Set(ids).size !== ids.length) faults.push("an id is there twice");
for (const link of document.querySelectorAll("a"))
  if (document.querySelector(link.getAttribute("href")) === null)
    faults.push(`${link.href} leads nowhere`);
return [faults, light(getComputedStyle(document.body).backgroundColor)];
"""

# Sorts each table by each column, twice; returns what is not in order.
SORTS = r"""
const faults = [];
const value = (cell) => cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
let columns = 0;
for (const table of document.querySelectorAll("table.sortable")) {
  const rows = table.tBodies[0].rows.length;
  for (const heading of table.tHead.rows[0].cells) {
    const seen = new Set();
    for (let click = 0; click < 2; click++) {
      heading.querySelector("button").click();
      const sorted = heading.getAttribute("aria-sort");
      seen.add(sorted);
      const sign = sorted === "descending" ? -1 : 1;
      const at = heading.cellIndex;
      const cells = [...table.tBodies[0].rows].map((row) => value(row.cells[at]));
      const full = cells.filter((cell) => cell !== "");
      for (let i = 1; i < full.length; i++) {
        const order = typeof full[i] === "number" && typeof full[i - 1] === "number"
          ? full[i - 1] - full[i]
          : String(full[i - 1]).localeCompare(String(full[i]), "en", {numeric: true});
        if (order * sign > 0)
          faults.push(`${heading.textContent}: ${full[i - 1]} before ${full[i]}`);
      }
      if (cells.slice(0, full.length).includes(""))
        faults.push(`${heading.textContent}: empty first`);
    }
    const marked = table.querySelectorAll("[aria-sort]").length;
    if (seen.size !== 2 || table.tBodies[0].rows.length !== rows || marked !== 1)
      faults.push(`${heading.textContent}: ${[...seen]}`);
    columns++;
  }
}
return [faults, columns];
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


class Browser:
    """A session of the W3C WebDriver protocol."""

    def __init__(self, driver, chromium, folder):
        self.process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, text=True, cwd=folder
        )
        try:
            self.begin(chromium, folder)
        except BaseException:
            self.process.kill()
            raise

    def begin(self, chromium, folder):
        for line in self.process.stdout:
            found = re.search(r"successfully on port (\d+)", line)
            if found:
                self.base = f"http://127.0.0.1:{found[1]}/session"
                break
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage"]
        arguments += [f"--user-data-dir={folder}/profile"]
        arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
        wanted = {
            "goog:chromeOptions": {
                "args": arguments,
                "binary": chromium,
                "perfLoggingPrefs": {"enableNetwork": True},
            },
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        self.base += "/" + self.post("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def post(self, path, body):
        kind = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(), kind)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def cdp(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def run(self, script):
        return self.post("/execute/sync", {"script": script, "args": []})

    def requests(self):
        for entry in self.post("/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                yield message["params"]["request"]["url"]

    def end(self):
        try:
            request = urllib.request.Request(self.base, method="DELETE")
            urllib.request.urlopen(request, timeout=30).close()
        finally:
            self.process.terminate()
            self.process.wait()


def look(browser, page, faults):
    grounds = {}
    browser.post("/url", {"url": "about:blank"})
    list(browser.requests())  # of the browser's own first page
    for screen, (width, height) in SCREENS.items():
        device = {"width": width, "height": height, "deviceScaleFactor": 1}
        device["mobile"] = screen == "telephone"
        browser.cdp("Emulation.setDeviceMetricsOverride", **device)
        for scheme in ("light", "dark"):
            feature = {"name": "prefers-color-scheme", "value": scheme}
            browser.cdp("Emulation.setEmulatedMedia", features=[feature])
            browser.post("/url", {"url": "file://" + page})
            found, grounds[scheme] = browser.run(FAULTS)
            where = f"{os.path.basename(page)}, {screen}, {scheme}: "
            faults += [where + fault for fault in found]
            messages = browser.post("/se/log", {"type": "browser"})
            faults += [where + entry["message"] for entry in messages]
            asked = [url for url in browser.requests() if not url.startswith("data:")]
            faults += [where + url[:80] for url in asked if url != "file://" + page]
    if not grounds["dark"] < 0.1 < 0.8 < grounds["light"]:
        faults.append(f"light and dark are alike: {grounds}")
    found, columns = browser.run(SORTS)
    faults += found
    if columns < 2:
        faults.append(f"only {columns} columns sort")


def main():
    program = os.path.abspath(sys.argv[1])
    driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
    if driver is None or chromium is None:
        skip("chromium or chromedriver is not installed")
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/browser.yaml", "w", encoding="utf-8") as file:
            file.write(SCENARIO)
        for arguments in (
            ["run", "browser.yaml", "-q", "-o", "run.db"],
            ["report", "run.db", "-o", "run.html"],
            ["sweep", "browser.yaml", "--vary", "rate=500,1500", "-q", "-o", "sweep.db"],
            ["report", "sweep.db", "-o", "sweep.html"],
        ):
            subprocess.run([program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        faults = []
        browser = Browser(driver, chromium, folder)
        try:
            for page in ("run.html", "sweep.html"):
                look(browser, os.path.join(folder, page), faults)
        finally:
            browser.end()
    print("\n".join(faults[:40]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
