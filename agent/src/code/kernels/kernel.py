"""Runs Python for the agent, which says by descriptor 3 what to run and hears there how it went.

Each message is one line of JSON. What the code prints goes to descriptors 1 and 2 as it is.
"""
import ast, asyncio, base64, builtins, inspect, io, json, linecache, os, re, signal, subprocess, sys, threading, time, traceback, types

CONTROL = 3
LARGEST_FORM = 6 * 1024 * 1024
LARGEST_TEXT = 1024 * 1024
LARGEST_JSON = 1024 * 1024
ROWS = 10_000
FLUSH_AT = 64 * 1024
FLUSH_EVERY = 0.02
OWN = "<bivouac>"
COLUMNS = "application/vnd.bivouac.columns+json"

os.set_inheritable(CONTROL, False)


class StdinNotAvailable(EOFError):
    """Code that is run here has no standard input."""


NO_INPUT = "code that is run here has no standard input; pass values in the code, as variables or as files"


class NoInput(io.TextIOBase):
    encoding = "utf-8"

    def readable(self):
        return True

    def fileno(self):
        return 0

    def isatty(self):
        return False

    def read(self, size=-1):
        raise StdinNotAvailable(NO_INPUT)

    readline = read
    readlines = read
    __next__ = read


class Bytes(io.RawIOBase):
    """What is written as bytes goes behind the text that was written before."""

    def __init__(self, text):
        self.text = text

    def writable(self):
        return True

    def fileno(self):
        return self.text.fileno()

    def write(self, data):
        with self.text.lock:
            self.text.send()
            self.text.raw(bytes(data))
        return len(data)

    def flush(self):
        self.text.flush()


class Out(io.TextIOBase):
    """Text on its way out: in order, joined into large pieces, and never held back for long."""

    encoding = "utf-8"
    errors = "backslashreplace"
    newlines = None
    mode = "w"

    def __init__(self, descriptor, name):
        self.descriptor = descriptor
        self.name = name
        self.pieces = []
        self.size = 0
        self.lock = threading.RLock()
        self.buffer = Bytes(self)

    def writable(self):
        return True

    def fileno(self):
        return self.descriptor

    def isatty(self):
        return False

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        with self.lock:
            self.pieces.append(text)
            self.size += len(text)
            if self.size >= FLUSH_AT:
                self.send()
        return len(text)

    def send(self):
        if self.pieces:
            text = "".join(self.pieces)
            self.pieces = []
            self.size = 0
            self.raw(text.encode("utf-8", "backslashreplace"))

    def raw(self, data):
        view = memoryview(data)
        while len(view):
            view = view[os.write(self.descriptor, view):]

    def flush(self):
        with self.lock:
            self.send()

    def reconfigure(self, **ignored):
        self.flush()


out, err = Out(1, "<stdout>"), Out(2, "<stderr>")
no_input = NoInput()


def use_streams():
    sys.stdout, sys.stderr, sys.stdin = out, err, no_input
    sys.__stdout__, sys.__stderr__, sys.__stdin__ = out, err, no_input


def no_more_input(prompt=""):
    raise StdinNotAvailable(NO_INPUT)


use_streams()
builtins.input = no_more_input


def flush():
    for stream in {id(s): s for s in (sys.stdout, sys.stderr, out, err)}.values():
        try:
            stream.flush()
        except Exception:
            pass


def forked():
    for stream in (out, err):
        stream.lock = threading.RLock()


os.register_at_fork(before=flush, after_in_child=forked)

running = threading.Event()


def flush_often():
    while running.wait():
        time.sleep(FLUSH_EVERY)
        out.flush()
        err.flush()


say_lock = threading.Lock()


def say(**message):
    flush()
    data = (json.dumps(message) + "\n").encode()
    with say_lock:
        while data:
            data = data[os.write(CONTROL, data):]


def lines():
    rest = b""
    while True:
        piece = os.read(CONTROL, 65536)
        if not piece:
            os._exit(0)
        rest += piece
        while b"\n" in rest:
            line, rest = rest.split(b"\n", 1)
            yield json.loads(line)


# ---- what a value is shown as ------------------------------------------------------------------

FORMS = {
    "_repr_html_": "text/html", "_repr_markdown_": "text/markdown", "_repr_svg_": "image/svg+xml", "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg", "_repr_pdf_": "application/pdf", "_repr_latex_": "text/latex", "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
}


def plain(value):
    try:
        text = repr(value)
    except Exception as failed:
        text = f"<{type(value).__name__}, whose repr raised {type(failed).__name__}>"
    return text if len(text) <= LARGEST_TEXT else text[:LARGEST_TEXT] + "..."


def form(data):
    if isinstance(data, (bytes, bytearray)):
        return base64.b64encode(data).decode()
    return data


def fits(data):
    size = len(data) if isinstance(data, str) else len(json.dumps(data, allow_nan=False))
    return size <= LARGEST_FORM


def forms_of(value):
    forms = {}
    if not isinstance(value, type):
        whole = getattr(value, "_repr_mimebundle_", None)
        if callable(whole):
            try:
                made = whole(include=None, exclude=None)
                forms.update(made[0] if isinstance(made, tuple) else made or {})
            except Exception:
                pass
        for method, kind in FORMS.items():
            if kind not in forms and callable(getattr(value, method, None)):
                try:
                    made = getattr(value, method)()
                except Exception:
                    continue
                if isinstance(made, tuple):
                    made = made[0]
                if made is not None:
                    forms[kind] = made
    return forms


def columns(frame):
    shown = frame.iloc[:ROWS]
    made = []
    for at, name in enumerate(shown.columns):
        column = shown.iloc[:, at]
        made.append({"name": str(name), "type": str(column.dtype), "values": json.loads(column.to_json(orient="values", date_format="iso"))})
    return {"columns": made, "rows": len(frame), "truncated": len(frame) > ROWS}


def is_of(value, module, name):
    there = sys.modules.get(module)
    kind = getattr(there, name, None) if there else None
    return isinstance(kind, type) and isinstance(value, kind)


def bundle(value):
    """The forms of a value by media type, and a chart's data."""
    if is_of(value, "matplotlib.figure", "Figure"):
        return figure_forms(value)
    forms = forms_of(value)
    forms.setdefault("text/plain", plain(value))
    if is_of(value, "pandas", "Series"):
        value_frame = value.to_frame()
    else:
        value_frame = value
    if is_of(value_frame, "pandas", "DataFrame"):
        try:
            forms[COLUMNS] = columns(value_frame)
        except Exception:
            pass
    if isinstance(value, (dict, list)) and "application/json" not in forms:
        try:
            text = json.dumps(value, allow_nan=False)
            if len(text) <= LARGEST_JSON:
                forms["application/json"] = json.loads(text)
        except Exception:
            pass
    chart = charts_of_axes(value) if is_of(value, "matplotlib.axes", "Axes") else None
    return kept(forms), chart


def kept(forms):
    fitting = {}
    for kind, data in forms.items():
        try:
            data = form(data)
            if fits(data):
                fitting[str(kind)] = data
            else:
                err.write(f"The result's {kind} is larger than {LARGEST_FORM} bytes and is left out.\n")
        except Exception:
            continue
    return fitting


def show(value, main):
    forms, chart = bundle(value)
    send(forms, chart, main)


def send(forms, chart, main):
    message = {"main": main, "mimeBundle": forms}
    if chart is not None:
        message["chart"] = chart
    say(type="result", result=message)


class Raw:
    """Forms that somebody made by hand."""

    def __init__(self, forms):
        self.forms = forms

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self.forms

    def __repr__(self):
        return str(self.forms.get("text/plain", ""))


def display(*values, raw=False, **ignored):
    """Shows values, each as a result of its own."""
    for value in values:
        show(Raw(value) if raw and isinstance(value, dict) else value, False)


builtins.display = display


# ---- figures and charts --------------------------------------------------------------------------

def number(value):
    try:
        value = value.item() if hasattr(value, "item") else value
    except Exception:
        pass
    if isinstance(value, bool) or value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, float):
        return value if value == value and value not in (float("inf"), float("-inf")) else None
    return str(value)


def axis_values(axis, values):
    dates = sys.modules.get("matplotlib.dates")
    converter = getattr(axis, "converter", None)
    if callable(getattr(axis, "get_converter", None)):
        converter = axis.get_converter()
    if dates and "Date" in type(converter).__name__:
        made = []
        for value in values:
            try:
                made.append(dates.num2date(value).isoformat() if isinstance(value, (int, float)) else str(value))
            except Exception:
                made.append(str(value))
        return made
    return [number(value) for value in values]


def heading(axes, kind):
    return {"type": kind, "title": axes.get_title() or None, "xLabel": axes.get_xlabel() or None, "yLabel": axes.get_ylabel() or None}


def ticks(axes, which):
    axis = getattr(axes, which + "axis")
    return [label.get_text() for label in axis.get_ticklabels()]


def own_label(artist):
    text = str(artist.get_label())
    return None if text.startswith("_") else text


def pie_of(axes, wedges):
    texts = [text.get_text() for text in axes.texts if text.get_text() and not text.get_text().endswith("%")]
    elements = []
    for at, wedge in enumerate(wedges):
        label = own_label(wedge) or (texts[at] if at < len(texts) else None)
        angle = wedge.theta2 - wedge.theta1
        elements.append({"label": label, "angle": number(float(angle)), "share": number(float(angle) / 360), "radius": number(float(wedge.r))})
    return {**heading(axes, "pie"), "elements": elements}


def bars_of(axes, containers):
    elements = []
    across = False
    for container in containers:
        across = across or getattr(container, "orientation", "vertical") == "horizontal"
        names = dict(zip([number(float(t)) for t in (axes.get_yticks() if across else axes.get_xticks())], ticks(axes, "y" if across else "x")))
        for bar in container.patches:
            place = bar.get_y() + bar.get_height() / 2 if across else bar.get_x() + bar.get_width() / 2
            value = bar.get_width() if across else bar.get_height()
            place = number(float(place))
            elements.append({"label": names.get(place) or place, "group": own_label(container), "value": number(float(value))})
    return {**heading(axes, "bar"), "horizontal": across, "elements": elements}


def boxes_of(axes):
    """Boxes as Axes.bxp drew them, which noted their figures."""
    boxes = getattr(axes, "_bivouac_boxes", None)
    return {**heading(axes, "box"), "elements": boxes} if boxes else None


def lines_of(axes, drawn):
    elements = []
    for line in drawn:
        xs, ys = axis_values(axes.xaxis, line.get_xdata()), axis_values(axes.yaxis, line.get_ydata())
        elements.append({"label": own_label(line), "points": [list(point) for point in zip(xs, ys)][:ROWS]})
    return {**heading(axes, "line"), "xScale": axes.get_xscale(), "yScale": axes.get_yscale(), "elements": elements}


def points_of(axes, drawn):
    elements = []
    for points in drawn:
        places = points.get_offsets()
        xs, ys = axis_values(axes.xaxis, [p[0] for p in places]), axis_values(axes.yaxis, [p[1] for p in places])
        elements.append({"label": own_label(points), "points": [list(point) for point in zip(xs, ys)][:ROWS]})
    return {**heading(axes, "scatter"), "xScale": axes.get_xscale(), "yScale": axes.get_yscale(), "elements": elements}


def charts_of_axes(axes):
    from matplotlib.collections import PathCollection
    from matplotlib.container import BarContainer
    from matplotlib.patches import Wedge

    boxes = boxes_of(axes)
    if boxes:
        return boxes
    wedges = [patch for patch in axes.patches if isinstance(patch, Wedge)]
    if wedges:
        return pie_of(axes, wedges)
    bars = [container for container in axes.containers if isinstance(container, BarContainer) and container.patches]
    if bars:
        return bars_of(axes, bars)
    points = [c for c in axes.collections if isinstance(c, PathCollection)]
    drawn = [line for line in axes.lines if len(line.get_xdata())]
    if drawn:
        return lines_of(axes, drawn)
    if points:
        return points_of(axes, points)
    return None


def chart_of(figure):
    charts = []
    for axes in figure.axes:
        try:
            chart = charts_of_axes(axes)
        except Exception:
            chart = None
        if chart:
            charts.append(chart)
    if len(charts) > 1:
        title = getattr(figure, "_suptitle", None)
        return {"type": "several", "title": title.get_text() if title else None, "elements": charts}
    return charts[0] if charts else None


def figure_forms(figure):
    picture = io.BytesIO()
    figure.savefig(picture, format="png", bbox_inches="tight")
    # Ticks have their texts once the figure was drawn.
    chart = chart_of(figure)
    return kept({"image/png": picture.getvalue(), "text/plain": plain(figure)}), chart


def note_boxes(axes_kind):
    drawn = axes_kind.bxp

    def bxp(self, bxpstats, *arguments, **named):
        made = drawn(self, bxpstats, *arguments, **named)
        boxes = getattr(self, "_bivouac_boxes", [])
        for at, box in enumerate(bxpstats):
            boxes.append({
                "label": str(box.get("label", at + 1)), "min": number(float(box["whislo"])), "firstQuartile": number(float(box["q1"])),
                "median": number(float(box["med"])), "thirdQuartile": number(float(box["q3"])), "max": number(float(box["whishi"])),
                "outliers": [number(float(value)) for value in box.get("fliers", [])],
            })
        self._bivouac_boxes = boxes
        return made

    axes_kind.bxp = bxp


def show_figures():
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not hasattr(pyplot, "get_fignums"):
        return
    for at in pyplot.get_fignums():
        figure = pyplot.figure(at)
        if figure.axes or figure.texts or figure.images:
            forms, chart = figure_forms(figure)
            send(forms, chart, False)
    pyplot.close("all")


class Backend:
    """matplotlib's backend here: the picture is a result."""

    name = "bivouac_figures"

    def find_spec(self, name, path=None, target=None):
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self) if name == self.name else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        from matplotlib.axes import Axes
        from matplotlib.backends.backend_agg import FigureCanvasAgg, FigureManagerBase

        note_boxes(Axes)

        def shown(*arguments, **named):
            show_figures()

        module.FigureCanvas = FigureCanvasAgg
        module.FigureManager = FigureManagerBase
        module.show = shown


if os.environ.get("MPLBACKEND", "agg").lower() == "agg":
    sys.meta_path.append(Backend())
    os.environ["MPLBACKEND"] = "module://" + Backend.name


# ---- running -------------------------------------------------------------------------------------

main = types.ModuleType("__main__")
main.__dict__.update(__builtins__=builtins, __name__="__main__")
sys.modules["__main__"] = main
sys.argv = [""]
loops = []


def shell(line):
    """A line that begins with an exclamation mark."""
    flush()
    subprocess.run(["sh", "-c", line], stdin=subprocess.DEVNULL, check=False)


def magic(line):
    name, _, rest = line.partition(" ")
    if name == "pip":
        shell(f"{sys.executable} -m pip {rest}")
    elif name == "cd":
        os.chdir(os.path.expanduser(rest.strip() or "~"))
    elif name in ("matplotlib", "load_ext", "autoreload", "config"):
        pass
    else:
        raise SyntaxError(f"%{name} is not known here")


def with_magic(code):
    def line(found):
        inner = "__bivouac_shell__" if found[2] == "!" else "__bivouac_magic__"
        return f"{found[1]}{inner}({found[3]!r})"

    return re.sub(r"(?m)^([ \t]*)([!%])([^%\n].*)$", line, code)


def parse(code, name):
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        return compile(code, name, "exec", flags, dont_inherit=True)
    except SyntaxError:
        changed = with_magic(code)
        if changed == code:
            raise
        main.__dict__["__bivouac_shell__"], main.__dict__["__bivouac_magic__"] = shell, magic
        try:
            return compile(changed, name, "exec", flags, dont_inherit=True)
        except SyntaxError:
            pass
        raise


def loop():
    if not loops:
        loops.append(asyncio.new_event_loop())
        asyncio.set_event_loop(loops[0])
    return loops[0]


def evaluate(tree, name):
    made = compile(tree, name, "exec" if isinstance(tree, ast.Module) else "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    if made.co_flags & inspect.CO_COROUTINE:
        return loop().run_until_complete(eval(made, main.__dict__))
    return eval(made, main.__dict__)


def execute(code, name):
    tree = parse(code, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    if tree.body:
        evaluate(tree, name)
    if last is not None:
        value = evaluate(last, name)
        if value is not None:
            main.__dict__["_"] = value
            if is_of(value, "matplotlib.figure", "Figure"):
                sys.modules["matplotlib.pyplot"].close(value) if "matplotlib.pyplot" in sys.modules else None
            show(value, True)
    show_figures()


def own_frames_away(trace):
    while trace is not None and trace.tb_frame.f_code.co_filename == OWN:
        trace = trace.tb_next
    return trace


def report(kind, value, trace):
    told = "".join(traceback.format_exception(kind, value, own_frames_away(trace)))
    try:
        text = str(value)
    except Exception:
        text = ""
    say(type="error", name=kind.__name__, value=text, traceback=told)


interruptible = False


def interrupted(signum, frame):
    if interruptible:
        raise KeyboardInterrupt


signal.signal(signal.SIGINT, interrupted)


def run(message, count):
    global interruptible
    name = f"<run {count}>"
    code = message["code"]
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    before = {}
    for variable, value in message.get("env", {}).items():
        before[variable] = os.environ.get(variable)
        os.environ[variable] = value
    ok = False
    running.set()
    try:
        try:
            interruptible = True
            execute(code, name)
            ok = True
        except BaseException:
            interruptible = False
            report(*sys.exc_info())
        finally:
            interruptible = False
    except KeyboardInterrupt:
        # It came between the two: the run is over all the same.
        ok = False
    running.clear()
    for variable, value in before.items():
        if value is None:
            os.environ.pop(variable, None)
        else:
            os.environ[variable] = value
    use_streams() if sys.stdout is None else None
    say(type="done", ok=ok)


def serve():
    threading.Thread(target=flush_often, daemon=True).start()
    say(type="ready")
    for count, message in enumerate(lines(), 1):
        run(message, count)


serve()
