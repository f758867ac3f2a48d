//! One reader: a tab of Chromium with a profile of its own, and all that went wrong in it.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use headless_chrome::browser::default_executable;
use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::Emulation::{
    MediaFeature, SetDeviceMetricsOverride, SetEmulatedMedia, SetFocusEmulationEnabled,
    SetScriptExecutionDisabled,
};
use headless_chrome::protocol::cdp::Input::{DispatchKeyEvent, DispatchKeyEventTypeOption};
use headless_chrome::protocol::cdp::Page::AddScriptToEvaluateOnNewDocument;
use headless_chrome::protocol::cdp::types::{Event, Method};
use headless_chrome::protocol::cdp::{Network, Runtime};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde::Serialize;
use serde_json::Value;

/// How long the slowest page may take on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Starts Chromium.
pub(super) fn chromium() -> Browser {
    let path = default_executable().unwrap_or_else(|_| {
        panic!("there is no Chromium on this machine; `bash tests/run` installs it")
    });
    let args = [
        "--disable-gpu",
        "--disable-component-update",
        "--hide-scrollbars",
        // Only this machine has a name: a request elsewhere fails, and is seen.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ];
    let options = LaunchOptions::default_builder()
        .path(Some(path))
        .sandbox(false)
        .idle_browser_timeout(PATIENCE)
        .args(args.iter().map(OsStr::new).collect())
        .build()
        .expect("every option has a value");
    Browser::new(options).expect("Chromium starts")
}

/// A key as the browser gets it: name, code, text.
pub(super) type Key = (&'static str, u32, Option<&'static str>);

/// The key that follows a link and opens a fold.
pub(super) const ENTER: Key = ("Enter", 13, Some("\r"));

/// The key that takes away what came unasked.
pub(super) const ESCAPE: Key = ("Escape", 27, None);

/// A reader.
pub(super) struct Reader {
    tab: Arc<Tab>,
    address: String,
    noticed: Arc<Mutex<Vec<String>>>,
}

impl Reader {
    /// A reader of the site at `address`, who has never been there, before a wide light screen.
    pub(super) fn new(browser: &Browser, address: &str) -> Self {
        let context = browser.new_context().expect("a profile opens");
        let tab = context.new_tab().expect("a tab opens");
        tab.set_default_timeout(PATIENCE);
        let noticed = Arc::new(Mutex::new(Vec::new()));
        let (notes, home) = (noticed.clone(), address.to_owned());
        tab.add_event_listener(Arc::new(move |event: &Event| {
            notes.lock().unwrap_or_else(PoisonError::into_inner).extend(fault(event, &home));
        }))
        .expect("events are heard");
        let reader = Self { tab, address: address.to_owned(), noticed };
        reader.call(Network::Enable {
            max_total_buffer_size: None,
            max_resource_buffer_size: None,
            max_post_data_size: None,
            report_direct_socket_traffic: None,
            enable_durable_messages: None,
        });
        reader.tab.enable_log().expect("the log is heard");
        reader.tab.enable_runtime().expect("the console is heard");
        reader.call(SetFocusEmulationEnabled { enabled: true });
        reader.screen(1440);
        reader.theme("light");
        reader
    }

    fn call<C>(&self, method: C) -> C::ReturnObject
    where
        C: Method + Serialize + Debug,
    {
        self.tab.call_method(method).expect("Chromium knows the call")
    }

    /// Opens a page, `path#anchor`, and waits for the last of its fonts.
    pub(super) fn open(&self, path: &str) {
        // An anchor of the page that is open would not load it again.
        self.tab.navigate_to("about:blank").expect("the blank page opens");
        self.wait("location.href === 'about:blank'");
        let url = format!("{}{path}", self.address);
        self.tab.navigate_to(&url).unwrap_or_else(|it| panic!("{path} opens: {it}"));
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'");
        self.eval("document.fonts.ready.then(() => 1)");
    }

    /// Loads the page again.
    pub(super) fn reload(&self) {
        self.eval("window.old = 1");
        self.tab.reload(true, None).expect("the page loads again");
        self.wait("!window.old && document.readyState === 'complete'");
    }

    /// Waits until an expression is true.
    pub(super) fn wait(&self, expression: &str) {
        let start = Instant::now();
        // While a page is replaced, there is nowhere to evaluate.
        loop {
            let found = self.try_eval(expression);
            if found == Ok(Value::Bool(true)) {
                return;
            }
            let at = || self.try_eval("location.href + ' ' + document.readyState");
            let late = start.elapsed() > PATIENCE;
            assert!(!late, "`{expression}` never becomes true: {found:?} {:?}", at());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression, awaited.
    pub(super) fn eval(&self, expression: &str) -> Value {
        self.try_eval(expression).unwrap_or_else(|it| panic!("`{expression:.300}`: {it}"))
    }

    fn try_eval(&self, expression: &str) -> Result<Value, String> {
        let answer = self.tab.call_method(Runtime::Evaluate {
            expression: expression.to_owned(),
            return_by_value: Some(true),
            await_promise: Some(true),
            user_gesture: Some(true),
            object_group: None,
            include_command_line_api: None,
            silent: None,
            context_id: None,
            generate_preview: None,
            throw_on_side_effect: None,
            timeout: None,
            disable_breaks: None,
            repl_mode: None,
            allow_unsafe_eval_blocked_by_csp: None,
            unique_context_id: None,
            serialization_options: None,
        });
        let answer = answer.map_err(|it| it.to_string())?;
        match answer.exception_details {
            Some(details) => Err(format!("{details:?}")),
            None => Ok(answer.result.value.unwrap_or_default()),
        }
    }

    /// Whether an expression is true.
    pub(super) fn is(&self, expression: &str) -> bool {
        self.eval(expression) == Value::Bool(true)
    }

    /// The strings of an expression.
    pub(super) fn strings(&self, expression: &str) -> Vec<String> {
        serde_json::from_value(self.eval(expression)).expect("they are strings")
    }

    /// A number.
    pub(super) fn number(&self, expression: &str) -> f64 {
        self.eval(expression).as_f64().unwrap_or_else(|| panic!("{expression} is no number"))
    }

    /// Sits before a screen of this width.
    pub(super) fn screen(&self, width: u32) {
        self.call(SetDeviceMetricsOverride {
            width,
            height: 900,
            device_scale_factor: 1.0,
            mobile: false,
            scale: None,
            screen_width: None,
            screen_height: None,
            position_x: None,
            position_y: None,
            dont_set_visible_size: None,
            screen_orientation: None,
            viewport: None,
            display_feature: None,
            device_posture: None,
        });
    }

    /// Asks the system for `light` or `dark`, and for no movement.
    pub(super) fn theme(&self, theme: &str) {
        let feature =
            |name: &str, value: &str| MediaFeature { name: name.into(), value: value.into() };
        let features = vec![
            feature("prefers-color-scheme", theme),
            feature("prefers-reduced-motion", "reduce"),
        ];
        self.call(SetEmulatedMedia { media: None, features: Some(features) });
    }

    /// Forbids the scripts of pages.
    pub(super) fn without_scripts(&self) {
        self.call(SetScriptExecutionDisabled { value: true });
    }

    /// Runs a script before those of each page.
    pub(super) fn first(&self, source: &str) {
        self.call(AddScriptToEvaluateOnNewDocument {
            source: source.into(),
            world_name: None,
            include_command_line_api: None,
            run_immediately: None,
        });
    }

    /// Types a text where the focus is.
    pub(super) fn types(&self, text: &str) {
        self.tab.type_str(text).expect("keys are pressed");
    }

    /// Presses a key.
    pub(super) fn press(&self, key: Key) {
        self.stroke(key, &[]);
    }

    /// Moves the pointer to the middle of the first line of an element, after it was elsewhere.
    pub(super) fn points(&self, element: &str) {
        // Pictures that come into sight move what is below them: it must have come to rest. The
        // timers of a page without scripts stand still, so that the wait is ours.
        let middle = format!(
            "(() => {{ const it = {element}; it.scrollIntoView({{ block: 'center' }});\
             const box = it.getClientRects()[0];\
             return [box.left + box.width / 2, box.top + box.height / 2]; }})()"
        );
        let look = || -> (f64, f64) {
            serde_json::from_value(self.eval(&middle)).expect("an element has a middle")
        };
        let (mut middle, mut still) = (look(), 0);
        while still < 4 {
            thread::sleep(Duration::from_millis(100));
            let now = look();
            still = if now == middle { still + 1 } else { 0 };
            middle = now;
        }
        self.moves(1.0, 1.0);
        self.moves(middle.0, middle.1);
    }

    /// Moves the pointer.
    pub(super) fn moves(&self, x: f64, y: f64) {
        self.tab.move_mouse_to_point(Point { x, y }).expect("the pointer moves");
    }

    /// Copies what is selected.
    pub(super) fn copies(&self) {
        self.stroke(("c", 67, None), &["copy"]);
    }

    /// What is on the clipboard, pasted into a field.
    pub(super) fn clipboard(&self) -> String {
        self.eval("document.body.append(window.field = document.createElement('textarea')), field.focus()");
        self.stroke(("v", 86, None), &["paste"]);
        let text = self.eval("field.value");
        self.eval("field.remove()");
        text.as_str().expect("a field has a text").to_owned()
    }

    fn stroke(&self, (key, code, text): Key, commands: &[&str]) {
        let down = DispatchKeyEvent {
            Type: DispatchKeyEventTypeOption::KeyDown,
            key: Some(key.into()),
            text: text.map(str::to_owned),
            windows_virtual_key_code: Some(code),
            native_virtual_key_code: Some(code),
            commands: Some(commands.iter().map(|it| (*it).to_owned()).collect()),
            code: None,
            modifiers: None,
            timestamp: None,
            unmodified_text: None,
            key_identifier: None,
            auto_repeat: None,
            is_keypad: None,
            is_system_key: None,
            location: None,
        };
        let up = DispatchKeyEvent {
            Type: DispatchKeyEventTypeOption::KeyUp,
            text: None,
            commands: None,
            ..down.clone()
        };
        self.call(down);
        self.call(up);
    }

    /// All that went wrong since it was last asked.
    pub(super) fn faults(&self) -> Vec<String> {
        std::mem::take(&mut *self.noticed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Closes the tab.
    pub(super) fn leave(self) {
        self.tab.close(false).expect("the tab closes");
    }
}

/// What an event says is wrong with a page of the site at `home`.
fn fault(event: &Event, home: &str) -> Option<String> {
    let local =
        |url: &str| url.starts_with(home) || url.starts_with("data:") || url == "about:blank";
    match event {
        Event::LogEntryAdded(it) => {
            Some(format!("{:?}: {}", it.params.entry.level, it.params.entry.text))
        }
        Event::RuntimeConsoleAPICalled(it) => {
            let said = it.params.args.iter().filter_map(|it| it.value.as_ref());
            Some(format!("console: {}", said.map(Value::to_string).collect::<String>()))
        }
        Event::RuntimeExceptionThrown(it) => {
            let details = &it.params.exception_details;
            let said = details.exception.as_ref().and_then(|it| it.description.as_deref());
            Some(format!("exception: {}", said.unwrap_or(&details.text)))
        }
        Event::NetworkRequestWillBeSent(it) if !local(&it.params.request.url) => {
            Some(format!("request elsewhere: {}", it.params.request.url))
        }
        Event::NetworkLoadingFailed(it) => {
            Some(format!("request failed: {}", it.params.error_text))
        }
        Event::NetworkResponseReceived(it) if it.params.response.status >= 400 => {
            let response = &it.params.response;
            Some(format!("status {}: {}", response.status, response.url))
        }
        _ => None,
    }
}
