package dev.stowage.driver.call;

/** Is told which call is under way, on the thread that serves it. */
public interface CallListener {

    CallListener NONE = new CallListener() {
        @Override
        public void started(String rpc) {}

        @Override
        public void finished(String rpc) {}
    };

    void started(String rpc);

    void finished(String rpc);
}
